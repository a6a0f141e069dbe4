from privguard.detect.linking.person import Person
from privguard.detect.linking.person_name import Name, read_name


def name_of(written: str) -> Name:
    name = read_name(written)
    assert name is not None
    return name


def test_a_name_tells_its_person_something_once() -> None:
    person = Person(0, name_of("Ada Roth"), alone=False)
    judge = name_of("Judge Roth")
    assert person.take(judge) == 1
    assert person.take(judge) == 0
    assert person.offices == {"court"}


def test_a_likeness_is_no_writing_of_a_name() -> None:
    person = Person(0, name_of("Robert Marsh"), alone=False)
    assert person.is_surely(name_of("R. Marsh"))
    assert person.is_like(name_of("Bob Marsh"))
    person.take(bob := name_of("Bob Marsh"))
    assert person.is_surely(bob)
