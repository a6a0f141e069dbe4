"""A route that may be used."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from urllib.parse import unquote

from privguard.core.errors import UnprotectedRouteError
from privguard.core.targets import without_release
from privguard_adapters.wire.checks import Check
from privguard_adapters.wire.codec import Codec
from privguard_adapters.wire.fields import is_token
from privguard_adapters.wire.later import Later

_VERBS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "QUERY")
_MOST_STEPS = 8  # of a path that is shown


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


def model_checks(steps: Sequence[str]) -> tuple[Check, ...]:
    """Return what is to be looked at of the name of a model in a path, which may hold slashes.

    Args:
        steps: of the path, percent-encoded.

    Raises:
        UnprotectedRouteError: one is no identifier.
    """
    texts = [unquote(step) for step in steps]
    if any(not is_token(text) or ".." in text for text in texts):
        raise UnprotectedRouteError("the model id in the path is no identifier, so nothing was sent")
    return tuple([Check(label="the model id in the path", text=without_release(text)) for text in texts])


def finder(
    found: Mapping[str, Callable[[str, Sequence[str]], Route | None]],
) -> Callable[[str, str], Route | None]:
    """Return what finds the route of a request by the first step of its path.

    What is returned takes the method, in upper case, and the path below the base URL, percent-encoded. It returns None
    where the API has no such route, or it is not protected, and raises `UnprotectedRouteError` where an id in the path
    is no identifier.

    Args:
        found: by the first step, what finds a route by the method and the other steps.
    """

    def find(method: str, relative: str) -> Route | None:
        root, *rest = relative.split("/")
        return found[root](method, rest) if root in found else None

    return find


def name_without_ids(method: str, path: str, base_path: str, words: Collection[str]) -> str:
    """Name a route without its ids, and without anything else that a caller could have put there.

    Args:
        method: as it came.
        path: percent-encoded, without the query.
        base_path: that of the client's base URL.
        words: the steps that may be shown.
    """
    relative = path.removeprefix(base_path.rstrip("/") + "/")
    steps = [step if step in words else "{id}" for step in relative.strip("/").split("/")]
    return f"{method if method in _VERBS else '{method}'} {'/'.join(steps[:_MOST_STEPS])}"
