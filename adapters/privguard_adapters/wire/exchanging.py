"""What the codecs ask of an exchange: R, whole and streamed. `privguard.guard.Exchange` is one."""

from typing import Protocol

from privguard.core.profile import Profile
from privguard.core.segments import Channel
from privguard.core.views import View


class TextStream(Protocol):
    """R over one stream of text."""

    @property
    def holds(self) -> bool:
        """Tell whether anything is held back."""
        ...

    def feed(self, chunk: str) -> str:
        """Return what is certain now."""
        ...

    def pause(self) -> str:
        """Return the rest, and go on where the text stands: what is cut there is not recognised."""
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

    def restore(self, text: str, channel: Channel = Channel.TEXT, path: str = "", *, view: View | None = None) -> str:
        """Put into a whole text the real values that may stand in a view, by default the user's."""
        ...

    def stream(self, channel: Channel = Channel.TEXT, path: str = "", *, view: View | None = None) -> TextStream:
        """Open R over a stream of text."""
        ...
