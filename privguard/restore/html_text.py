"""Character references of HTML and markdown (`&#58;`, `&sol;`), read as the characters that they stand for.

A scheme may be written with them. A quote or a space that is written so does not end an attribute, though: each
delimiter becomes its twin (`twin`), a private-use character. Tabs and line breaks vanish, as they do in a browser.
A document in an attribute (`srcdoc`) is read once more: a delimiter of such a one is left as it is written.
"""

import re
from html.entities import html5

from privguard.core.patterns import lazy_pattern

_ENDS = "\"'`<>"  # what may end something, and so is never read where it is none
_DELIMITERS = frozenset(_ENDS + " \f\v")
_NAMED = {name[:-1]: text for name, text in html5.items() if name.endswith(";") and len(text) == 1 and text.isascii()}
_LONGEST_NAME = max(map(len, _NAMED))
_AGAIN = "((?:amp;){0,3})"  # a reference to a reference
# Four names need no semicolon; before `=`, a letter or a digit an attribute does not read them.
_REFERENCE = lazy_pattern(
    rf"&{_AGAIN}(?:#(?:[xX]0*([0-9a-fA-F]{{1,6}})|0*([0-9]{{1,7}}));?|([A-Za-z]+);|(quot|QUOT|lt|LT|gt|GT)(?![=0-9A-Za-z]))"
)
_INCOMPLETE = lazy_pattern(
    rf"&(?:amp;){{0,3}}(?:#(?:[xX](0*)[0-9a-fA-F]{{0,6}}|(0*)[0-9]{{0,7}})|[A-Za-z]{{0,{_LONGEST_NAME}}})\Z"
)


def twin(delimiter: str) -> str:
    """Return what stands for a delimiter that was written as a character reference."""
    return chr(0xE000 + ord(delimiter))


class ReferenceReader:
    """Read text chunk by chunk; the same text comes out however it is cut."""

    __slots__ = ("_carry",)

    def __init__(self) -> None:
        self._carry = ""

    def feed(self, text: str) -> str:
        """Return what the text stands for, but for a reference that its end cuts off."""
        if not self._carry and "&" not in text:
            return text
        text, self._carry = self._carry + text, ""
        start = text.rfind("&")
        cut = _INCOMPLETE.match(text, start) if start >= 0 else None
        if cut is not None:
            # However many zeros lead a number, one of them says as much.
            zeros = cut[1] or cut[2] or ""
            self._carry = cut[0].replace(zeros, "0", 1) if zeros else cut[0]
            text = text[:start]
        return _REFERENCE.sub(_character, text)

    def flush(self) -> str:
        """Return what a reference stands for that nothing more belongs to."""
        carry, self._carry = self._carry, ""
        return _REFERENCE.sub(_character, carry) if carry else ""


def _character(reference: re.Match[str]) -> str:
    again, hexadecimal, decimal, name, legacy = reference.groups()
    if name or legacy:
        character = _NAMED.get(name or legacy)
        if character is None:
            return reference[0]
    else:
        code = int(hexadecimal, 16) if hexadecimal else int(decimal)
        if code > 0x7F:
            return reference[0]
        character = chr(code)
    if character in "\t\r\n":
        return ""
    if again and character in _ENDS:
        return reference[0]
    return twin(character) if character in _DELIMITERS else character
