"""What the codecs ask of an exchange: R, whole and streamed. `privguard.guard.Exchange` is one."""

from typing import Protocol

from privguard.core.profile import Profile
from privguard.core.segments import Channel


class TextStream(Protocol):
    """R over one stream of text."""

    def feed(self, chunk: str) -> str:
        """Return what is certain now."""
        ...

    def flush(self) -> str:
        """Return the rest."""
        ...


class Restoring(Protocol):
    """R over the reply to one request."""

    @property
    def profile(self) -> Profile:
        """Return the profile in force."""
        ...

    def restore(self, text: str, channel: Channel = Channel.TEXT, path: str = "") -> str:
        """Put the real values into a whole text."""
        ...

    def refuse(self, text: str, path: str = "", channel: Channel = Channel.TEXT) -> str:
        """Return the text as it is and count the values in it as refused."""
        ...

    def stream(self, channel: Channel = Channel.TEXT, path: str = "", *, remote_tool: bool = False) -> TextStream:
        """Open R over a stream of text."""
        ...
