"""Replies that hold no text of the caller's: they pass as they are, and are told on."""

from collections.abc import Callable
from typing import NoReturn

from privguard.core.audit import Outcome
from privguard.core.errors import UnknownContentError
from privguard.core.profile import Profile
from privguard.core.segments import Channel
from privguard.core.views import View
from privguard_adapters.wire.codec import Codec
from privguard_adapters.wire.exchanging import TextStream
from privguard_adapters.wire.replies import Replies

_PROFILE = Profile(id="none", name="none", gamma=0.5)  # nothing is restored, so no profile counts


class Unread:
    """What such a reply belongs to: it restores nothing."""

    @property
    def profile(self) -> Profile:
        """Return a profile."""
        return _PROFILE

    def restore(
        self,
        text: str,
        channel: Channel = Channel.TEXT,  # noqa: ARG002 - of a reply that is restored
        path: str = "",  # noqa: ARG002 - likewise
        *,
        view: View | None = None,  # noqa: ARG002 - likewise
    ) -> str:
        """Return the text as it is."""
        return text

    def stream(self, channel: Channel = Channel.TEXT, path: str = "", *, view: View | None = None) -> TextStream:  # noqa: ARG002 - likewise
        """Return a stream that changes nothing."""
        return _Same()

    def close(self, outcome: Outcome = Outcome.DONE, error: BaseException | None = None) -> None:
        """Record nothing: whoever has the lines does."""


class _Same:
    @property
    def holds(self) -> bool:
        return False

    def feed(self, chunk: str) -> str:
        return chunk

    def pause(self) -> str:
        return ""

    def flush(self) -> str:
        return ""


def unread_codec(name: str, take: Callable[[str], str]) -> Codec:
    """Return the codec of a route whose reply passes as it is.

    Args:
        name: of the route.
        take: is told the reply, and returns it.
    """
    return Codec(name=name, read_request=_refuse, replies=Replies(whole=lambda text, _exchange, _rules: take(text)))


def _refuse(_raw: bytes) -> NoReturn:
    raise UnknownContentError("this route takes no body")
