"""What one word of a name may look like elsewhere: without diacritics, in another case of its language.

Only endings are undone that do not turn one name into another: `Kowalskiego` is Kowalski, while `Ivanova` may be
Ivanov's genitive or his sister, and stays as it is.
"""

# ruff: noqa: RUF001 - letters of other scripts

import unicodedata
from collections.abc import Iterator

_MIN_STEM = 3
_LETTERS = str.maketrans(
    {"ß": "ss", "ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th", "ё": "е", "ς": "σ"}
)
# Letters of Arabic that many type for others, and what stretches a word.
_TYPED = str.maketrans({"\u0629": "\u0647", "\u0649": "\u064a", "\u06cc": "\u064a", "\u06a9": "\u0643", "\u0640": ""})
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})

# Ending -> the nominative ending, per script; of stems in three or more letters.
# fmt: off
_LATIN = {
    # Polish, Czech, Slovak, Croatian
    "owi": "", "ovi": "", "skiego": "ski", "skiemu": "ski", "skim": "ski", "ckiego": "cki", "ckiemu": "cki",
    "ckim": "cki", "skiej": "ska", "ckiej": "cka", "skeho": "sky", "skemu": "sky", "skym": "sky", "ske": "ska",
    "skou": "ska", "skog": "ski", "skom": "ski",
    # Finnish
    "sen": "nen", "selle": "nen", "sella": "nen", "selta": "nen", "sessa": "nen", "sesta": "nen", "seen": "nen",
    # Hungarian
    "nak": "", "nek": "", "hoz": "", "hez": "", "tol": "",
    # Lithuanian, Latvian
    "ui": "as", "iui": "is", "ams": "as",
}
_CYRILLIC = {
    "ом": "", "ем": "", "ым": "", "ского": "ский", "скому": "ский", "ским": "ский", "ском": "ский", "цкого": "цкий",
    "цкому": "цкий", "цким": "цкий", "ской": "ская", "скую": "ская", "ького": "ький", "ькому": "ький",
    "ии": "ия", "ию": "ия", "ией": "ия", "ы": "а", "у": "а", "е": "а", "і": "а", "ой": "а", "ою": "а",
}
_GREEK = {"ου": "οσ", "ο": "οσ", "ε": "οσ", "η": "ησ", "α": "ασ"}
# fmt: on
_FINNISH, _VOWELS = "nen", "aeiouy"  # which stand before that ending
# The case endings of one are the nominative of the other: a surname and that of a wife or a sister.
_PAIRED_STEMS = ("ов", "ев", "ин", "ын", "οπουλ")
_PAIRED = frozenset(("ы", "у", "е", "і", "ой", "ою", "ου"))


def fold(word: str) -> str:
    """Return a lower-case word without diacritics."""
    if word.isascii():
        return word
    word = word.translate(_LETTERS)
    if any("\u0400" <= letter <= "\u04ff" for letter in word):
        return word  # й is a letter of its own
    plain = unicodedata.normalize("NFKD", word).translate(_TYPED)
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


def spellings(word: str) -> Iterator[str]:
    """Yield the forms under which a lower-case word of a name is looked up, the folded word first."""
    folded = fold(word)
    yield folded
    if folded != word and (written_out := fold(word.translate(_UMLAUTS))) != folded:
        yield written_out
    endings = _LATIN if folded.isascii() else _CYRILLIC if "а" <= folded[-1] <= "ї" else _GREEK
    for length in range(1, min(6, len(folded) - _MIN_STEM) + 1):
        nominative = endings.get(folded[-length:])
        if nominative is None:
            continue
        stem = folded[:-length]
        if folded[-length:] in _PAIRED and stem.endswith(_PAIRED_STEMS):
            continue
        # Virtanen, Virtasen; but Hansen is no Hannen.
        if nominative == _FINNISH and stem[-1] not in _VOWELS:
            continue
        yield stem + nominative
