import pytest

from privguard.core.entities import EntityType
from privguard.detect.ordinary import is_telling


@pytest.mark.parametrize(
    ("word", "kind", "expected"),
    [
        ("hellmerich", EntityType.PERSON, True),
        ("Hellmerich", EntityType.PERSON, True),
        ("rose", EntityType.PERSON, False),
        ("ada", EntityType.PERSON, False),
        ("diabetes", EntityType.HEALTH, True),
        ("hiv", EntityType.HEALTH, True),
        ("positive", EntityType.HEALTH, False),
        ("nurse", EntityType.OCCUPATION, False),
        ("mother", EntityType.FAMILY, False),
        ("berlin", EntityType.LOCATION, True),
        ("nice", EntityType.LOCATION, False),
        ("admin", EntityType.USERNAME, False),
        ("swordfish", EntityType.SECRET, True),
    ],
)
def test_a_word_is_told_in_any_case_only_where_it_says_something(word: str, kind: EntityType, expected: bool) -> None:
    assert is_telling(word, kind) is expected
