import pytest

from privguard.detect.linking.glued import Letters, letters_of
from privguard.detect.linking.person_name import Name, read_name, whole_text


def name(text: str) -> Name:
    return read_name(text) or whole_text(text)


@pytest.mark.parametrize(
    "text", ["AdaRoth", "ada_roth", "rothada", "aroth", "rotha", "a_roth", "A d a R o t h", "ROTH", "ada.roth"]
)
def test_a_person_is_found_by_the_letters_of_the_name(text: str) -> None:
    people = Letters()
    people.note(3, name("Ada Roth"))
    assert people.find(name(text)) == 3


@pytest.mark.parametrize("text", ["AdaRothko", "broth", "Ada", "a", "42"])
def test_other_letters_are_nobody(text: str) -> None:
    people = Letters()
    people.note(3, name("Ada Roth"))
    assert people.find(name(text)) is None


def test_letters_that_fit_two_people_tell_none() -> None:
    people = Letters()
    people.note(0, name("Ada Roth"))
    people.note(1, name("Amos Roth"))
    assert people.find(name("aroth")) is None
    assert people.find(name("amosroth")) == 1


def test_letters_are_put_together_as_they_are_read() -> None:
    assert letters_of(name("Roth, Ada")) == "adaroth"
