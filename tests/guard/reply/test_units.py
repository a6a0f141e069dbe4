from hypothesis import given
from hypothesis import strategies as st

from privguard.guard.reply.units import MAX_BLOCK, MAX_RUN, MAX_UNIT, MIN_UNIT, unit_end

TEXTS = st.lists(
    st.sampled_from(
        [
            "word ",
            "Ada Roth",
            ". ",
            ".",
            '?" ',
            "\n",
            "。",
            "x" * 70,
            "y" * 500,
            "-----BEGIN A KEY-----\n",
            "-----END A KEY-----",
            "…",
            "\t",
        ]
    ),
    max_size=24,
).map("".join)


def units(text: str) -> list[str]:
    found = []
    start = 0
    while start < len(text):
        end = unit_end(text, start, final=True)
        assert end is not None
        found.append(text[start:end])
        start = end
    return found


@given(TEXTS)
def test_the_units_are_the_text(text: str) -> None:
    found = units(text)
    assert "".join(found) == text
    assert all(found)


@given(TEXTS, st.data())
def test_a_unit_that_is_certain_stays_as_it_is_however_much_follows(text: str, data: st.DataObject) -> None:
    seen = data.draw(st.integers(0, len(text)))
    start = data.draw(st.integers(0, seen))
    early = unit_end(text[:seen], start, final=False)
    assert early is None or early == unit_end(text, start, final=True)


@given(TEXTS)
def test_what_stands_before_a_unit_does_not_matter(text: str) -> None:
    end = unit_end(text, 0, final=True)
    moved = unit_end("Before. " + text, 8, final=True)
    assert moved == end + 8 if end is not None else moved is None


@given(TEXTS.filter(lambda text: "BEGIN" not in text))
def test_a_unit_is_known_once_so_much_has_arrived(text: str) -> None:
    assert len(text) < MAX_RUN or unit_end(text, 0, final=False) is not None


def test_a_unit_ends_behind_a_sentence_or_a_line() -> None:
    sentence = "s" * MIN_UNIT + ". "
    assert unit_end(sentence + "More", 0, final=False) == len(sentence)
    line = "s" * MIN_UNIT + "\n"
    assert unit_end(line + "More", 0, final=False) == len(line)


def test_short_sentences_are_put_together() -> None:
    assert unit_end("Yes. No. " + "x" * 30, 0, final=False) is None
    assert units("Yes. No. Why?\nSo.") == ["Yes. No. Why?\nSo."]


def test_without_a_sentence_a_unit_ends_at_white_space_and_not_in_a_word() -> None:
    text = "word " * MAX_UNIT
    end = unit_end(text, 0, final=False)
    assert end is not None
    assert MIN_UNIT < end <= MAX_UNIT
    assert text[:end].endswith(" ")
    token = "x" * (MAX_RUN - 1)
    assert unit_end(f"{token} more", 0, final=False) == MAX_RUN
    assert unit_end("x" * (MAX_RUN + 9), 0, final=False) == MAX_RUN


def test_a_block_of_key_material_is_one_unit() -> None:
    key = "-----BEGIN PRIVATE KEY-----\n" + "MIIB.\n" * 400 + "-----END PRIVATE KEY-----"
    assert unit_end(f"Here: {key[:-1]}", 0, final=False) is None
    assert unit_end(f"Here: {key}\nMore", 0, final=False) == len(f"Here: {key}")


def test_a_block_that_never_ends_is_held_no_longer_than_its_bound() -> None:
    text = "-----BEGIN PRIVATE KEY-----\n" + "MIIB.\n" * MAX_BLOCK
    assert unit_end(text[: MAX_BLOCK - 1], 0, final=False) is None
    assert unit_end(text, 0, final=False) == MAX_BLOCK
