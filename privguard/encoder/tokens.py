"""Text to units: token ids, shapes and offsets.

A unit is what the network gives one state: a word piece, or, for a network that reads whole words, up to `pieces`
neighbouring pieces of one word.

The vocabulary is uncased, but case tells names from words: each token also carries a *shape*, computed from the text it
stands for. Pieces that the vocabulary lacks get one of its unused ids by a hash, so that two of them differ.
"""

import unicodedata
import zlib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from privguard.core.errors import ArtifactError
from privguard.core.patterns import lazy_pattern

IntArray = NDArray[np.int64]

# Shape = class + CLASSES * gap. Class 0 is that of the special tokens.
LOWER, INITIAL, UPPER, SINGLE, MIXED, CASELESS, UNSPACED, ALNUM, SYMBOL, DIGITS = range(1, 11)
_LONGEST_DIGITS = 4  # runs of 1, 2, 3, and 4 or more digits have a class each
CLASSES = DIGITS + _LONGEST_DIGITS
GAPS = 3  # what stands before the token: nothing, white space, a line break
SHAPES = CLASSES * GAPS

_OTHER, _UPPER, _LOWER, _CASELESS, _UNSPACED, _DIGIT, _SPACE, _BREAK = range(8)


def _is_unspaced(code: int) -> bool:
    """Tell whether a script sets no space between words: Thai to Khmer, kana, ideographs, and Hangul's particles."""
    return 0x0E00 <= code < 0x1000 or 0x1780 <= code < 0x1800 or 0x2E80 <= code < 0xFB00 or code >= 0x20000


def _kind(letter: str) -> int:
    if letter.isupper():
        return _UPPER
    if letter.islower():
        return _LOWER
    if letter.isalpha():
        return _UNSPACED if _is_unspaced(ord(letter)) else _CASELESS
    if letter.isdigit():
        return _DIGIT
    if letter in "\n\r\u2028\u2029":
        return _BREAK
    return _SPACE if letter.isspace() else _OTHER


_TABLE_SIZE = 0x500  # Latin, Greek and Cyrillic by table, the rest one by one
_TABLE = np.array([_kind(chr(code)) for code in range(_TABLE_SIZE)], dtype=np.uint8)


# Arrows, shapes, dingbats, emoji and what joins or colours them; letters and punctuation among them are passed over.
_SIGNS = lazy_pattern("[\u200d\u20d0-\u2bff\ufe0f\U0001f000-\U0001fbff]+")
_COUNTED = (_UPPER, _LOWER, _CASELESS, _UNSPACED, _DIGIT)
_BITS = 12  # a word piece has 100 letters at most, but a word that is longer is one unknown piece
_MASK = (1 << _BITS) - 1
_WEIGHTS = np.zeros(_BREAK + 1, dtype=np.int64)
_WEIGHTS[list(_COUNTED)] = [1 << (_BITS * place) for place in range(len(_COUNTED))]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """The units of one text without special tokens; arrays of shape `(n,)`, offsets in code points."""

    ids: IntArray = field(repr=False)  # (n, pieces) ids of the vocabulary, 0 where a unit has fewer pieces
    shapes: IntArray = field(repr=False)
    starts: IntArray = field(repr=False)
    ends: IntArray = field(repr=False)

    def __len__(self) -> int:
        """Return the number of units."""
        return len(self.ids)

    @property
    def classes(self) -> IntArray:
        """Return the class of each shape, without what stands before it."""
        return self.shapes % CLASSES

    @property
    def word_starts(self) -> IntArray:
        """Return the first unit of each word; symbols and pieces of unspaced scripts are words of their own."""
        return _word_starts(self.classes, self.starts, self.ends)


class TextTokenizer:
    """Split texts into units. Thread-safe."""

    def __init__(self, source: Path | bytes, pieces: int = 1) -> None:
        """Load a `tokenizer.json`, from its path or its content, with the word-piece vocabulary of BERT.

        Args:
            source: the file, or what it holds.
            pieces: the most word pieces that a unit holds; the manifest of an artifact says how many its graphs take.

        Raises:
            ArtifactError: the file is absent, damaged or lacks a token that is needed.
        """
        try:
            self._tokenizer = (
                Tokenizer.from_buffer(source) if isinstance(source, bytes) else Tokenizer.from_file(str(source))
            )
        except Exception as error:  # noqa: BLE001 - the library raises plain Exception
            raise ArtifactError(f"the tokenizer cannot be read: {type(error).__name__}") from None
        self.pieces = pieces
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self.cls_id, self.sep_id, self.pad_id, self._unknown = (
            self._id(name) for name in ("[CLS]", "[SEP]", "[PAD]", "[UNK]")
        )
        spare = [self._tokenizer.token_to_id(f"[unused{number}]") for number in range(994)]
        self._spare = [number for number in spare if number is not None]

    @property
    def mask_id(self) -> int:
        """Return the id that stands for a hidden word: training needs it.

        Raises:
            ArtifactError: the vocabulary has none.
        """
        return self._id("[MASK]")

    def _id(self, token: str) -> int:
        number = self._tokenizer.token_to_id(token)
        if number is None:
            raise ArtifactError(f"the vocabulary has no {token}")
        return number

    def __call__(self, text: str) -> Tokens:
        """Return the tokens of a text, in order. Linear in its length; lone surrogates count as unknown."""
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        surrogates = (codes >= 0xD800) & (codes <= 0xDFFF)
        if surrogates.any():
            codes = np.where(surrogates, 0xFFFD, codes).astype(np.uint32)
            text = codes.tobytes().decode("utf-32-le")
        kinds = _kinds(codes)
        glued = self._glued(text, kinds)
        if glued:
            codes = codes.copy()
            codes[glued], kinds[glued] = ord(" "), _SPACE
            text = codes.tobytes().decode("utf-32-le")
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        ids = np.array(encoding.ids, dtype=np.int64)
        offsets = np.array(encoding.offsets, dtype=np.int64).reshape(-1, 2)
        for place in np.flatnonzero(ids == self._unknown):
            ids[place] = self._spare_id(text[offsets[place, 0] : offsets[place, 1]])
        tokens = Tokens(ids=ids[:, None], shapes=_shapes(kinds, offsets), starts=offsets[:, 0], ends=offsets[:, 1])
        return tokens if self.pieces == 1 else _joined(tokens, kinds, self.pieces)

    def _glued(self, text: str, kinds: NDArray[np.uint8]) -> list[int]:
        """Return the symbols that the vocabulary lacks and that touch a word: with them, it would be an unknown one.

        Several in a row are taken together, such as an emoji and its colour.
        """
        if text.isascii():
            return []
        found: list[int] = []
        for run in _SIGNS.finditer(text):
            start, end = run.span()
            touches = (start and kinds[start - 1] in _COUNTED) or (end < len(text) and kinds[end] in _COUNTED)
            if touches and any(map(self._is_unknown_symbol, set(run[0]))):
                found += [at for at in range(start, end) if kinds[at] == _OTHER]
        return found

    def _is_unknown_symbol(self, sign: str) -> bool:
        return unicodedata.category(sign)[0] == "S" and self._tokenizer.token_to_id(sign) is None

    def _spare_id(self, piece: str) -> int:
        if not self._spare:
            return self._unknown
        return self._spare[zlib.crc32(piece.lower().encode("utf-8")) % len(self._spare)]


def _joined(tokens: Tokens, kinds: NDArray[np.uint8], pieces: int) -> Tokens:
    """Put up to `pieces` neighbours of one word into one unit."""
    if not len(tokens):
        return Tokens(
            ids=np.zeros((0, pieces), dtype=np.int64), shapes=tokens.shapes, starts=tokens.starts, ends=tokens.ends
        )
    words = tokens.word_starts
    word_of = np.zeros(len(tokens), dtype=np.int64)
    word_of[words[1:]] = 1
    place = np.arange(len(tokens)) - words[np.cumsum(word_of)]  # of the token in its word
    first = np.flatnonzero(place % pieces == 0)
    last = np.append(first[1:], len(tokens)) - 1
    ids = np.zeros((len(first), pieces), dtype=np.int64)
    unit_of = np.cumsum(place % pieces == 0) - 1
    ids[unit_of, place % pieces] = tokens.ids[:, 0]
    offsets = np.stack([tokens.starts[first], tokens.ends[last]], axis=1)
    return Tokens(ids=ids, shapes=_shapes(kinds, offsets), starts=offsets[:, 0], ends=offsets[:, 1])


def _word_starts(classes: IntArray, starts: IntArray, ends: IntArray) -> IntArray:
    alone = (classes == SYMBOL) | (classes == UNSPACED)
    glued = np.append(False, starts[1:] == ends[:-1])[: len(starts)]
    glued &= ~alone & ~np.append(False, alone[:-1])[: len(starts)]
    return np.flatnonzero(~glued)


def _kinds(codes: NDArray[np.uint32]) -> NDArray[np.uint8]:
    kinds = _TABLE[np.minimum(codes, _TABLE_SIZE - 1)]
    for place in np.flatnonzero(codes >= _TABLE_SIZE):
        kinds[place] = _kind(chr(codes[place]))
    return np.asarray(kinds, dtype=np.uint8)


def _shapes(kinds: NDArray[np.uint8], offsets: IntArray) -> IntArray:
    starts, ends = offsets[:, 0], offsets[:, 1]
    upper, lower, caseless, unspaced, digit = _counts(kinds, starts, ends)
    length = ends - starts
    letters = upper + lower + caseless + unspaced
    first = kinds[starts] if len(starts) else kinds[:0]
    classes = np.select(
        [
            (digit == length) & (length > 0),
            (digit > 0) & (letters > 0),
            letters == 0,
            unspaced > 0,
            (upper == 0) & (lower == 0),
            upper == 0,
            (upper == letters) & (letters == 1),
            upper == letters,
            (upper == 1) & (first == _UPPER),
        ],
        [
            DIGITS + np.minimum(length, _LONGEST_DIGITS) - 1,
            ALNUM,
            SYMBOL,
            UNSPACED,
            CASELESS,
            LOWER,
            SINGLE,
            UPPER,
            INITIAL,
        ],
        default=MIXED,
    )
    return np.asarray(classes + CLASSES * _gaps(kinds, starts), dtype=np.int64)


def _counts(kinds: NDArray[np.uint8], starts: IntArray, ends: IntArray) -> tuple[IntArray, ...]:
    """Count the letters of the kinds `_COUNTED` between offsets."""
    if (ends - starts).max(initial=0) > _MASK:
        return tuple(_differences(kinds == kind, starts, ends) for kind in _COUNTED)
    # All counts in one number: what runs over in the sum falls out of the differences.
    packed = _differences(_WEIGHTS[kinds], starts, ends)
    return tuple((packed >> (_BITS * place)) & _MASK for place in range(len(_COUNTED)))


def _differences(values: NDArray[np.integer] | NDArray[np.bool_], starts: IntArray, ends: IntArray) -> IntArray:
    total = np.zeros(len(values) + 1, dtype=np.int64)
    np.cumsum(values, out=total[1:])
    return np.asarray(total[ends] - total[starts], dtype=np.int64)


def _gaps(kinds: NDArray[np.uint8], starts: IntArray) -> IntArray:
    """Return for each token what precedes it; the first of a text counts as one after a line break."""
    if not len(starts):
        return np.zeros(0, dtype=np.int64)
    before = kinds[np.maximum(starts - 1, 0)]
    gaps = np.where(before == _BREAK, 2, np.where(before == _SPACE, 1, 0))
    return np.where(starts == 0, 2, gaps).astype(np.int64)
