"""What an adapter brings to be held to the contract: one driver per way to use its SDK."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeAlias

from privguard.guard import Guard

Client: TypeAlias = Any  # of the SDK at hand
Answer: TypeAlias = Any  # likewise: a reply, an event, an option


class Driver(Protocol):
    """One sort of client. Async clients are driven from here as if they were not."""

    name: str
    text_path: str  # of a whole reply, as the audit log has it
    arguments_path: str  # likewise, of the arguments of the first tool call
    instructs_in_messages: bool  # whether instructions are a message
    retries_below_guard: bool  # whether the SDK sends again what was minimized once

    def open(self, base_url: str, guard: Guard | None, *, max_retries: int = 0) -> AbstractContextManager[Client]:
        """Open a client of a server, protected where a guard is given."""
        ...

    def ask(self, client: Client, prompt: str, **options: Answer) -> Answer:
        """Ask in one message and return the whole reply of the SDK."""
        ...

    def text(self, reply: Answer) -> str:
        """Return the text of a whole reply."""
        ...

    def arguments(self, reply: Answer) -> str:
        """Return the arguments of the first tool call of a whole reply."""
        ...

    def stream(self, client: Client, prompt: str, **options: Answer) -> Iterator[Answer]:
        """Ask in one message and yield the events of the SDK. Leaving the iterator early leaves the stream."""
        ...

    def delta(self, event: Answer) -> str:
        """Return the text of an event."""
        ...

    def tools(self, parameters: dict[str, Any]) -> dict[str, Any]:
        """Return the options that offer one tool, `send_mail`, with a JSON schema for its arguments."""
        ...

    def instructed(self, instructions: str, prompt: str) -> dict[str, Any]:
        """Return the options that ask with instructions of the application in front of the prompt."""
        ...
