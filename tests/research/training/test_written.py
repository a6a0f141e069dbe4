from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.errors import ConfigError
from privguard.encoder.labels import OWNERS
from privguard.research.training.written import load_written, read_written, written_files

FILE = """
### en | letter | thanks
Thank ⟦Ada Roth|PERSON|0|p⟧ for the ⟦apples|a pear|MISC|4|u⟧.

Second paragraph with `code | pipes |` and ### no head.
### hu | panasz | beszélgetés
@user
Itt ⟦Ada|PERSON|1|u⟧ vagyok.
@assistant
Igen?
"""
LETTERS = {"user": "u", "person": "p", "org": "o", "public": "b", "none": "n"}
PLAIN = st.text(
    st.characters(exclude_characters="⟦⟧|@#\r\n\x85\u2028\u2029", exclude_categories=("Cs", "Cc")), min_size=1
)
VALUES = PLAIN.map(str.strip).filter(bool)


def test_a_file_gives_texts_labels_and_conversations() -> None:
    letter, talk = read_written(FILE, "one")
    assert (letter.id, letter.lang, letter.source) == ("written:one-0", "en", "written")
    (text,) = letter.texts
    assert text.text.startswith("Thank Ada Roth for the apples|a pear.\n\nSecond")
    assert text.text.endswith("### no head.")
    assert [(text.text[label.start : label.end], label.kind) for label in text.labels] == [
        ("Ada Roth", "PERSON"),
        ("apples|a pear", "MISC"),
    ]
    assert [label.reach for label in text.labels] == [(0.0,) * 4, (1.0,) * 4]
    assert [label.owner.index(1.0) for label in text.labels if label.owner] == [OWNERS.index("person"), 0]
    assert (talk.lang, [text.role for text in talk.texts]) == ("hu", ["user", "assistant"])


@given(
    parts=st.lists(
        st.tuples(PLAIN, VALUES, st.sampled_from(list(EntityType)), st.integers(0, 4), st.sampled_from(OWNERS))
    )
)
def test_labels_lie_where_their_values_were_written(
    parts: list[tuple[str, str, EntityType, int, str]],
) -> None:
    body = "x" + "".join(
        f"{before}⟦{value}|{kind}|{need}|{LETTERS[owner]}⟧" for before, value, kind, need, owner in parts
    )
    (record,) = read_written(f"### en | a | b\n{body}\n", "one")
    (text,) = record.texts
    assert text.text == ("x" + "".join(before + value for before, value, *_ in parts)).strip()
    assert [
        (text.text[label.start : label.end], label.kind, sum(label.reach or ()), (label.owner or ()).index(1.0))
        for label in text.labels
    ] == [(value, kind, need, OWNERS.index(owner)) for _, value, kind, need, owner in parts]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("Hello\n### en | a | b\nx", "line 1"),
        ("### en | a | b\n\n", "from line 2: an empty text"),
        ("### en | a | b\nx\n### en | a | b\n⟦Ada|PERSON|5|u⟧", "from line 4: a bracket"),
        ("### en | a | b\n⟦Ada|PERSON|0⟧", "a bracket"),
        ("### en | a | b\n⟦Ada|NAME|0|u⟧", "NAME is not an entity type"),
        ("### en | a | b\n⟦Ada |PERSON|0|u⟧", "white space"),
        ("### en | a | b\nx\n@user\ny", "before the first message"),
        ("### en | a | b\n@user\n@assistant\ny", "an empty text"),
    ],
)
def test_a_fault_is_named_with_its_place_and_without_the_text(content: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        list(read_written(content, "one"))
    assert "one" in str(caught.value)
    assert "Ada" not in str(caught.value)


def test_a_folder_is_read_in_the_order_of_its_names(tmp_path: Path) -> None:
    for name in ("b", "a"):
        (tmp_path / f"{name}.txt").write_text(f"### en | a | b\n{name}\n", encoding="utf-8")
    (tmp_path / "README.md").write_text("no record", encoding="utf-8")
    assert [record.texts[0].text for record in load_written(tmp_path)] == ["a", "b"]
    with pytest.raises(ConfigError, match="holds no"):
        written_files(tmp_path / "none")
