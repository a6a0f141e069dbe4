from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.detect.columns import find_in_columns
from tests.growth import grows_in_proportion

SIGNS = st.sampled_from([",", ";", "\t", "|", " | "])
CELLS = st.text(alphabet="abcÄß' \"'.,;|-7\t", max_size=12)


def found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in find_in_columns(text)]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("id,first_name,last_name,plan\n1,Mia,Brandt,gold\n2,Tom,kern,basic", ["Mia", "Brandt", "Tom", "kern"]),
        ("id;Nachname;Vorname\n1;Brandt;Mia\n", ["Brandt", "Mia"]),
        ("first_name\tlast_name\r\nMia\tvon Kern\r\n", ["Mia", "von Kern"]),
        ('name,email\n"Brandt, Mia",x@y.example\n', ["Brandt, Mia", "x@y.example"]),
        ('"last_name","note"\n"Brandt","she said ""hi, you"""\n', ["Brandt"]),
        ("last_name,city,note\nKern,Rome,-\nBrandt,Rome,tired, and cold\n", ["Kern", "Brandt"]),
        ("last_name,plan\nBrandt,gold\n\nThank you, Anna", ["Brandt"]),
        ("user,password\nakern,hunter22b\n", ["akern", "hunter22b"]),
        (
            "ssn,iban,phone\n123-45-6789,DE89370400440532013000,555 0100",
            ["123-45-6789", "DE89370400440532013000", "555 0100"],
        ),
        ("| Name | Passwort |\n|:---|---|\n| Brandt | geheim12 |\n", ["Brandt", "geheim12"]),
        ("> | Last name | City |\n> |---|---|\n> | Brandt | Rome |\n", ["Brandt"]),
        (" last_name | city\n-----------+------\n Brandt    | Rome\n", ["Brandt"]),
        ("+------+-------+\n| dob  | city |\n+---+---+\n| 1987-03-14 | Rome |\n", ["1987-03-14"]),
        (
            "INSERT INTO t (first_name, surname) VALUES ('Mia', 'O''Brien'), ('Tom', NULL);",
            ["Mia", "O''Brien", "Tom"],
        ),
        ("insert into `t` (`id`, `last_name`) values (NOW(), 'Brandt')", ["Brandt"]),
        ("COPY t (id, last_name) FROM stdin;\n1\tBrandt\n2\tKern\n\\.\n", ["Brandt", "Kern"]),
        ('{"columns": ["user", "password"], "rows": [["akern", "hunter22b"], ["x", null]]}', ["akern", "hunter22b"]),
    ],
)
def test_a_header_introduces_the_values_of_its_column(text: str, values: list[str]) -> None:
    assert found(text) == values


@pytest.mark.parametrize(
    "text",
    [
        "Please send your first name, last name and phone.\nThanks, Anna",
        "The form asks for last name, password\nRight, I see",
        "first_name, last_name,\nemail, phone,\n",
        "SELECT first_name, last_name\nFROM users, accounts",
        "def f(first_name, last_name):\n    return a, b",
        "make(first_name, last_name)\nprint(one, two)",
        "name,price\nWidget,five\n",
        "last_name,plan\nnull,gold\n",
        "Last name, city\n\nBrandt, Rome",
        "INSERT INTO t (last_name, plan) VALUES ('Brandt')",
        "INSERT INTO t (plan) VALUES ('gold')",
        '{"columns": ["last_name"], "count": 3}',
        "COPY t (last_name) FROM stdin;\nBrandt",
    ],
)
def test_a_header_word_in_prose_or_code_is_none(text: str) -> None:
    assert found(text) == []


@given(sign=SIGNS, rows=st.lists(st.lists(CELLS, min_size=1, max_size=4), max_size=5))
def test_spans_lie_in_one_line_and_in_order(sign: str, rows: list[list[str]]) -> None:
    text = "\n".join([sign.join(["last_name", "phone"]), *(sign.join(row) for row in rows)])
    spans = list(find_in_columns(text))
    assert all(one.end <= other.start for one, other in pairwise(spans))
    assert all("\n" not in text[span.start : span.end].strip() for span in spans)


@given(sign=st.sampled_from([",", ";", "\t", "|"]), names=st.lists(st.sampled_from(["Brandt", "Kern", "Osei"])))
def test_every_row_of_a_table_is_read(sign: str, names: list[str]) -> None:
    text = "\n".join([f"id{sign}last_name", *(f"{number}{sign}{name}" for number, name in enumerate(names))])
    assert [text[span.start : span.end] for span in find_in_columns(text)] == names


@pytest.mark.parametrize(
    "piece",
    [
        "Brandt,030 123456,Rome\n",
        "last_name,a\n",
        "a,",
        '"',
        "INSERT INTO t (last_name) VALUES ('",
        "INSERT INTO t (last_name) VALUES ('a',('",
        '"columns":["last_name","',
        '"columns":["a","b"],"rows":[["',
        "COPY t (a, b) FROM x\n",
        "|",
        " ",
        "''",
    ],
)
def test_a_long_text_costs_time_in_proportion(piece: str) -> None:
    assert grows_in_proportion(lambda text: list(find_in_columns(text)), piece, 20_000, "last_name,phone,city\n")
