import pytest

from privguard.research.training.known import known_names, names_stranger

MEASURED = (
    "Angela Merkel",
    "Emmanuel Macron",
    "Marie Curie",
    "Albert Einstein",
    "Nelson Mandela",
    "Winston Churchill",
    "Taylor Swift",
    "Stephen King",
)


def test_people_of_public_life_are_many_and_in_their_own_letters() -> None:
    names = known_names()
    assert len(set(names[""].full)) > 900
    assert len(names) > 12
    assert all(len(set(known.full)) >= 25 for known in names.values())
    assert all(not name[0].isascii() for lang, known in names.items() if lang for name in known.full)


def test_those_that_measure_are_not_among_those_that_teach() -> None:
    taught = {name for known in known_names().values() for name in (*known.full, *known.short)}
    assert not taught & {*MEASURED, *(name.split()[-1] for name in MEASURED)}


@pytest.mark.parametrize(
    ("text", "stranger"),
    [
        ("Who is Anna Lindqvist?", True),
        ("Who is Anna M. Lindqvist?", True),
        ("Who is Jane Austen?", False),
        ("Name three works of Martin Luther.", False),
        ("Compare Jane Austen and Anna Lindqvist.", True),
        ("What is the capital of Norway?", False),
        ("Is the Brandenburg Gate older than the Louvre?", False),
    ],
)
def test_a_text_that_names_somebody_unknown_is_told(text: str, stranger: bool) -> None:
    assert names_stranger(text) is stranger
