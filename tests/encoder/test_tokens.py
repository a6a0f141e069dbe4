from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.errors import ArtifactError
from privguard.encoder import tokens as shapes
from privguard.encoder.tokens import CLASSES, SHAPES, TextTokenizer

FILE = Path(__file__).parent / "model" / "tokenizer.json"
TEXTS = st.text(st.sampled_from("abZé名ก한 \n\t.,-_0123\ud800"), max_size=40)


@pytest.fixture(scope="session", params=[1, 4], ids=["pieces", "words"])
def tokenizer(request: pytest.FixtureRequest) -> TextTokenizer:
    return TextTokenizer(FILE, request.param)


@given(TEXTS)
def test_every_letter_and_digit_stands_in_one_unit(tokenizer: TextTokenizer, text: str) -> None:
    found = tokenizer(text)
    assert (found.starts < found.ends).all()
    assert (found.starts[1:] >= found.ends[:-1]).all()
    covered = {place for start, end in zip(found.starts, found.ends, strict=True) for place in range(start, end)}
    assert all(place in covered for place, letter in enumerate(text) if letter.isalnum())
    assert found.ids.shape == (len(found), tokenizer.pieces)
    assert ((found.shapes > 0) & (found.shapes < SHAPES)).all()


@given(TEXTS)
def test_words_are_the_same_however_many_pieces_a_unit_holds(text: str) -> None:
    few, many = TextTokenizer(FILE, 1)(text), TextTokenizer(FILE, 4)(text)
    assert few.starts[few.word_starts].tolist() == many.starts[many.word_starts].tolist()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ada", shapes.LOWER),
        ("Ada", shapes.INITIAL),
        ("ADA", shapes.UPPER),
        ("aDa", shapes.MIXED),
        ("A", shapes.SINGLE),
        ("7", shapes.DIGITS),
        ("7777", shapes.DIGITS + 3),
        ("a7", shapes.ALNUM),
        ("-", shapes.SYMBOL),
    ],
)
def test_a_word_has_the_class_of_its_letters(text: str, expected: int) -> None:
    assert TextTokenizer(FILE, 4)(text).classes.tolist() == [expected]


def test_what_stands_before_a_unit_shows_in_its_shape() -> None:
    found = TextTokenizer(FILE)("ada ben\nada-ben")
    assert (found.shapes // CLASSES).tolist() == [2, 1, 2, 0, 0]


@pytest.mark.parametrize(
    "signs", ["\U0001f600", "\U0001f44d\U0001f3fd\U0001f600", "\u2764\ufe0f", "\U0001f1f3\U0001f1f1"], ids=len
)
def test_a_symbol_that_touches_a_word_leaves_it_the_word_that_it_is(tokenizer: TextTokenizer, signs: str) -> None:
    plain, after, before = (tokenizer(text) for text in ("zb ab c", f"zb ab{signs} c", f"zb {signs}ab c"))
    assert plain.ids.tolist() == after.ids.tolist() == before.ids.tolist()
    assert plain.starts[:-1].tolist() == after.starts[:-1].tolist()
    assert after.ends[-1] == 7 + len(signs)
    assert len(tokenizer(f"a {signs} b")) > len(tokenizer("a b"))  # by itself it is a sign as before


def test_pieces_that_the_vocabulary_lacks_are_told_apart() -> None:
    ids = TextTokenizer(FILE)("名 前 字 名").ids[:, 0]
    assert ids[0] == ids[3]
    assert len(set(ids.tolist())) > 1


def test_a_file_and_its_content_are_the_same() -> None:
    from_file, from_bytes = TextTokenizer(FILE)("Ada Roth"), TextTokenizer(FILE.read_bytes())("Ada Roth")
    assert np.array_equal(from_file.ids, from_bytes.ids)


@pytest.mark.parametrize("content", [b"", b"{}", b"no json"])
def test_what_is_no_tokenizer_is_refused(content: bytes) -> None:
    with pytest.raises(ArtifactError, match="cannot be read"):
        TextTokenizer(content)


def test_a_vocabulary_without_special_tokens_is_refused() -> None:
    with pytest.raises(ArtifactError, match=r"no \[SEP\]"):
        TextTokenizer(FILE.read_bytes().replace(b'"[SEP]"', b'"[sep]"'))
