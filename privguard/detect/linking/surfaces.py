"""A mention as it is written, with a little of what stands around it."""

from typing import NamedTuple

MAX_LENGTH = 120  # code points: no name is longer, and what is longer is not read
CONTEXT = 64  # code points at either side: titles, an abbreviation in brackets, the words up to the next mention


class Surface(NamedTuple):
    """The text of one mention and its surroundings. Named tuples, since a request has one for every span."""

    text: str
    before: str = ""  # up to `CONTEXT` code points
    after: str = ""
    sentence: int | None = None  # the number of the sentence that it stands in, where that is known

    def __repr__(self) -> str:
        return f"Surface(length {len(self.text)})"

    @classmethod
    def of(cls, text: str, start: int, end: int, sentence: int | None = None) -> "Surface":
        """Cut the mention at `[start, end)` out of its text."""
        return cls(text[start:end], text[max(0, start - CONTEXT) : start], text[end : end + CONTEXT], sentence)


def gap_between(one: Surface, other: Surface) -> str | None:
    """Return the text between two mentions of which the second follows the first; None where it is not short."""
    at = other.before.rfind(one.text)
    if at < 0:
        return None
    gap = other.before[at + len(one.text) :]
    following = f"{gap}{other.text}"[:CONTEXT]
    return gap if one.after.startswith(following) else None
