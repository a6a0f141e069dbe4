"""Where in what a model says a JSON document stands, see `privguard.core.embedded_json`, and where a string is open.

What a string of it says is looked at for URLs besides, as prose: escapes hide them from whoever reads the whole.
"""

from privguard.core.embedded_json import BEGINS, WITHIN, OpenDocument
from privguard.core.patterns import lazy_pattern
from privguard.restore.json_text import JsonContext, Reading
from privguard.restore.urls import UrlContext

_MAY_BEGIN = r"[ \t]{0,64}(?:[{\[]\s{0,64})?\Z"
_FIRST = lazy_pattern(BEGINS)
_LATER = lazy_pattern(rf"\n{BEGINS}|{WITHIN}")
_MAYBE_FIRST = lazy_pattern(_MAY_BEGIN)
_MAYBE_LATER = lazy_pattern(rf"\n{_MAY_BEGIN}")
_MAY_BE_IN = r"\{\s{0,64}(?:\Z|\"[^\"\\\n{}\[\]]{0,64}(?:\Z|\"\s{0,16}\Z))"
_MAYBE_WITHIN = lazy_pattern(rf"\[\s{{0,64}}(?:\Z|{_MAY_BE_IN})|{_MAY_BE_IN}")
_LONGEST_MAYBE = 220
_BRACKET = lazy_pattern(r"[{\[]")
# What the next chunk may make an escape or a fence of.
_CUT = lazy_pattern(r"(?:\\|\n[ \t]{0,16}[`~]{0,2})\Z")
_LONGEST_CUT = 20


class EmbeddedJson:
    """Follow what a model says, placeholders left out."""

    __slots__ = ("_carry", "_document", "_extent", "_fresh", "_url")

    def __init__(self, begun: str = "", url_hosts: tuple[str, ...] = ()) -> None:
        """Start.

        Args:
            begun: what the request had the model say before: where that leaves a document open, it goes on.
            url_hosts: those in whose URLs values may stand.
        """
        self._url = UrlContext(url_hosts)
        self._start()
        self.advance(begun)
        if self._document is None and not self._carry.strip():
            self._start()

    def _start(self) -> None:
        self._document: JsonContext | None = None
        self._carry = ""  # what may begin a document, or what more text may make an escape or a fence of
        self._fresh = True  # whether the carry, or else what comes next, begins a line
        self._extent = OpenDocument()

    @property
    def in_string(self) -> bool:
        """Tell whether a string of a document is open."""
        return self._document is not None and self._extent.in_string and self._document.in_string

    @property
    def in_gap(self) -> bool:
        """Tell whether this is between the strings of a document, where brackets are syntax."""
        return self._document is not None and not self._extent.in_string

    def refuses_here(self) -> bool:
        """Tell whether a string is open and says a URL that no value may stand in."""
        return self.in_string and self._url.refuses_here()

    def write(self, value: str, written: str = "", *, told: bool = False) -> str:
        """Return a value in the form in which it may stand in the string that is open, as `JsonContext.write` does."""
        return value if self._document is None else self._document.write(value, written, told=told)

    def advance(self, text: str) -> None:
        """Take note of more text."""
        text, self._carry = self._carry + text, ""
        position = 0
        while position < len(text):
            read = self._read_prose if self._document is None else self._read_document
            position = read(text, position)

    def value_follows(self) -> None:
        """Note that a placeholder stands here: it begins no document, and nothing before it goes on behind it."""
        if self._document is None:
            self._fresh = False
        else:
            self._look(self._document.advance(self._carry))
            self._url.advance(self._document.value_follows())
        self._carry = ""

    def read_value(self, written: str) -> None:
        """Take note of a value that was written here."""
        if self._document is not None:
            self._url.advance(self._document.read_value(written))

    def _read_prose(self, text: str, position: int) -> int:
        """Read up to where a document begins, and return where that is."""
        begins = (_FIRST.match(text, position) if self._fresh else None) or _LATER.search(text, position)
        if begins is not None and (bracket := _BRACKET.search(text, begins.start())):
            self._document, self._extent = JsonContext(), OpenDocument()
            return bracket.start()
        self._carry = self._undecided(text, position)
        return len(text)

    def _undecided(self, text: str, position: int) -> str:
        """Return what may begin a document at the end of prose, and note whether that begins a line."""
        near = max(position, len(text) - _LONGEST_MAYBE)
        first = _MAYBE_FIRST.match(text, position) if self._fresh else None
        line = position if first else len(text) + 1
        if first is None and (later := _MAYBE_LATER.search(text, near)):
            line = later.start() + 1
        within = _MAYBE_WITHIN.search(text, near)
        self._fresh = line <= len(text) and (within is None or line <= within.start())
        return text[min(line, len(text) if within is None else within.start()) :]

    def _read_document(self, text: str, start: int) -> int:
        """Read up to where the document ends, and return where that is."""
        position, has_ended = self._extent.read(text, start)
        if has_ended:
            self._document, self._fresh = None, False
            return position
        cut = _CUT.search(text, max(position, len(text) - _LONGEST_CUT))
        end = len(text) if cut is None else cut.start()
        self._carry = text[end:]
        if self._document is not None:
            self._look(self._document.advance(text[start:end]))
        return len(text)

    def _look(self, reading: Reading) -> None:
        if reading.begins:
            self._url.restart(in_string=False)
        self._url.advance(reading.text)
