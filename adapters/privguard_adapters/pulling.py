"""The next piece of a reply that comes in pieces, or what it broke off with: raised behind what was held back."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Piece = TypeVar("Piece")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pulled(Generic[Piece]):
    """One piece; neither a piece nor a failure is the end."""

    piece: Piece | None = field(default=None, repr=False)
    failure: Exception | None = field(default=None, repr=False)


def pull(source: Iterator[Piece]) -> Pulled[Piece]:
    """Take the next piece."""
    try:
        return Pulled(piece=next(source, None))
    except Exception as error:  # noqa: BLE001 - the library's own, whatever it is
        return Pulled(failure=error)


async def pull_awaited(source: AsyncIterator[Piece]) -> Pulled[Piece]:
    """Await the next piece."""
    try:
        return Pulled(piece=await anext(source, None))
    except Exception as error:  # noqa: BLE001 - likewise
        return Pulled(failure=error)


class Ending:
    """What a reply ends with."""

    def __init__(self) -> None:
        self.failure: Exception | None = None

    def take(self, end: type[Exception]) -> Exception:
        """Return the failure once, and then the end."""
        failure, self.failure = self.failure, None
        return failure or end()
