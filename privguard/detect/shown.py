"""A text as it shows, where that is sure to be another one than what is written: what detectors read once more."""

import unicodedata
from collections.abc import Iterator

from privguard.core.patterns import lazy_pattern
from privguard.detect.codes import uncoded
from privguard.detect.mail_codes import mail_view
from privguard.detect.mojibake import meant_views
from privguard.detect.percent import Decoded
from privguard.detect.tags import tag_view

_MAIL = lazy_pattern(r"=\?[\w.:*-]{1,60}\?[QqBb]\?|=(?:C[2-9A-F]|D[0-9A-F]|E[0-9A-F]=[89AB][0-9A-F])=[89AB][0-9A-F]")
# Full-width, circled and squared letters, those of mathematics, of which some stand apart, and kana of half the width.
_DECORATED = (
    "\uff66-\uff9f\uff21-\uff3a\uff41-\uff5a\u24b6-\u24e9\U0001f130-\U0001f149\U0001d400-\U0001d6a5"
    "\u2102\u210a-\u210e\u2110-\u2113\u2115\u2119-\u211d\u2124\u2128\u212c\u212d\u212f-\u2131\u2133\u2134"
)
_WORD = lazy_pattern(f"[{_DECORATED}]{{3}}")
_LETTER = lazy_pattern(f"[\uff66-\uff9d][\uff9e\uff9f]|[{_DECORATED}]")  # a sound mark is one with its kana


def shown_views(text: str) -> Iterator[Decoded]:
    """Yield a text without its codes, those of mail and tags, as it was meant before it was garbled, and undecorated.

    None for most texts, and none where it might be chance: for the accents of TeX, or single bytes of mail.
    """
    shown = uncoded(text, keeps_data=True)
    if shown is not None:
        yield shown
    if "=" in text and _MAIL.search(text) and (mail := mail_view(text)) is not None:
        yield mail
    if (tags := tag_view(text)) is not None:
        yield tags
    yield from meant_views(text)
    if not text.isascii() and _WORD.search(text):
        yield Decoded.of(text, _plain_letters(text))


def _plain_letters(text: str) -> Iterator[tuple[int, int, str]]:
    for letter in _LETTER.finditer(text):
        for form in unicodedata.normalize("NFKC", letter[0]):
            yield *letter.span(), form
