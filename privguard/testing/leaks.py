"""Find canaries in raw bytes, in whatever common encoding they hide."""

import base64
import binascii
import html
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote_plus, unquote_to_bytes

from privguard.core.entities import EntityType
from privguard.testing.canary import Canary

MAX_LAYERS = 3  # a value in JSON in JSON in a query; deeper nesting is not searched
_MIN_COMPACT = 9  # letters and digits that a value needs before its separators are ignored
_ESCAPE = re.compile(r'\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(["\\/bfnrt]))')
_SIMPLE = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{8,}")
_SEPARATORS = re.compile(r"[^0-9a-z]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Leak:
    """A canary that was found, and how it was written: `utf-8`, `utf-16-le/json`, `latin-1/base64` and so on."""

    canary: Canary
    encoding: str


def find_canaries(blob: bytes, canaries: Iterable[Canary | str]) -> list[Leak]:
    """Find the canaries that stand in `blob` in any letter case and any of the common encodings.

    Looks at UTF-8, Latin-1 and UTF-16 text; through JSON and HTML escapes, percent-encoding, base64 at any alignment
    and hexadecimal, up to three layers; and past the separators of numbers. Compressed bytes are the caller's to
    decompress: `Recorded.wire` holds both forms.

    Args:
        blob: raw bytes, such as `Recorded.wire`.
        canaries: what to look for; plain strings count as canaries of type MISC.

    Returns:
        One leak per canary that was found, in the order of `canaries`; empty when nothing leaked.
    """
    wanted = {
        canary.value: canary
        for canary in (Canary(kind=EntityType.MISC, value=each) if isinstance(each, str) else each for each in canaries)
    }
    found: dict[str, Leak] = {}
    for encoding, text in _views(blob):
        folded = _fold(text)
        compact = _SEPARATORS.sub("", folded)
        for value, canary in wanted.items():
            if value not in found and _stands_in(value, folded, compact):
                found[value] = Leak(canary=canary, encoding=encoding)
        if len(found) == len(wanted):
            break
    return [found[value] for value in wanted if value in found]


def _stands_in(value: str, folded: str, compact: str) -> bool:
    if not value:
        raise ValueError("an empty canary is everywhere")
    if _fold(value) in folded or value.encode().hex() in compact:
        return True
    bare = _SEPARATORS.sub("", _fold(value))
    return len(bare) >= _MIN_COMPACT and any(letter.isdigit() for letter in bare) and bare in compact


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text.casefold())


def _views(blob: bytes) -> Iterator[tuple[str, str]]:
    """Yield the bytes as text, decoded in every way, each distinct text once, fewest layers first."""
    seen: set[str] = set()
    layer = list(_as_text(blob))
    for _ in range(MAX_LAYERS + 1):
        fresh = []
        for encoding, text in layer:
            if text not in seen:
                seen.add(text)
                fresh.append((encoding, text))
                yield encoding, text
        layer = [(f"{encoding}/{name}", inner) for encoding, text in fresh for name, inner in _peeled(text)]


def _as_text(blob: bytes) -> Iterator[tuple[str, str]]:
    yield "utf-8", blob.decode(errors="replace")
    if not blob.isascii():
        yield "latin-1", blob.decode("latin-1")
    if b"\0" in blob:
        for offset in (0, 1):
            for encoding in ("utf-16-le", "utf-16-be"):
                yield encoding, blob[offset:].decode(encoding, errors="replace")


def _peeled(text: str) -> Iterator[tuple[str, str]]:
    if "\\" in text:
        yield "json", _unescape(text)
    if "%" in text or "+" in text:
        yield "url", unquote_plus(text, errors="replace")
        yield "url-latin-1", unquote_to_bytes(text.replace("+", " ")).decode("latin-1")
    if "&" in text:
        yield "html", html.unescape(text)
    for joined in {text, re.sub(r"\s+", "", text)}:
        for run in _BASE64.findall(joined):
            for decoded in _base64_decoded(run):
                for encoding, inner in _as_text(decoded):
                    yield f"base64/{encoding}", inner


def _unescape(text: str) -> str:
    """Undo JSON and Python escapes, with the halves of surrogate pairs joined."""

    def plain(match: re.Match[str]) -> str:
        code = match[1] or match[2]
        return chr(int(code, 16)) if code else _SIMPLE.get(match[3], match[3])

    return _ESCAPE.sub(plain, text).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _base64_decoded(run: str) -> Iterator[bytes]:
    """Decode at each alignment, since a prefix that is no base64 may touch the run.

    Only what reads as text is worth a further look: random words decode to noise.
    """
    standard = run.replace("-", "+").replace("_", "/")
    for start in range(4):
        part = standard[start:]
        part = part[: len(part) - (len(part) % 4 == 1)]
        try:
            decoded = base64.b64decode(part + "=" * (-len(part) % 4))
        except binascii.Error:
            continue
        printable = sum(32 <= byte < 127 or byte in b"\0\t\r\n" for byte in decoded)
        if 2 * printable >= len(decoded):
            yield decoded
