"""A route that may be used."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from urllib.parse import unquote

from privguard.core.errors import UnprotectedRouteError
from privguard_adapters.wire.checks import Check
from privguard_adapters.wire.codec import Codec
from privguard_adapters.wire.fields import is_token
from privguard_adapters.wire.later import Later


class Filing(Enum):
    """What a request does with the files of batches."""

    UPLOAD = auto()
    CONTENT = auto()  # asks for one
    DELETE = auto()
    CREATE = auto()  # of a batch
    SEE = auto()  # asks for a batch, or for all of them, and so learns what files they have


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """A route that may be used."""

    name: str
    codec: Codec | None = None  # None: nothing of the caller's stands in request or reply
    checks: tuple[Check, ...] = ()  # ids in the path
    later: Later = field(default_factory=Later)  # what the path has to do with other replies
    filing: Filing | None = None  # None: it has nothing to do with files of batches


def path_ids(steps: Sequence[str]) -> tuple[Check, ...]:
    """Return what is to be looked at of ids in a path.

    Args:
        steps: of the path, percent-encoded.

    Raises:
        UnprotectedRouteError: one is no identifier.
    """
    texts = [unquote(step) for step in steps]
    if any(not text or not is_token(text) or "/" in text or ".." in text for text in texts):
        raise UnprotectedRouteError("an id in the path is no identifier, so nothing was sent")
    return tuple([Check(label="an id in the path", text=text) for text in texts])
