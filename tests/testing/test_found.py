from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.placeholders import ALPHABET, MAX_ID, MIN_ID, is_placeholder_id, write_placeholder
from privguard.testing.found import find_placeholders

IDS = st.text(ALPHABET, min_size=MIN_ID, max_size=MAX_ID).filter(is_placeholder_id)


@given(st.sampled_from(EntityType), IDS, st.sampled_from(["", "a large city in Texas", "80-90 thousand"]))
def test_what_is_written_is_found(kind: EntityType, placeholder_id: str, hint: str) -> None:
    [found] = find_placeholders(f"a {write_placeholder(kind, placeholder_id, hint)} b")
    assert (found.kind, found.placeholder_id, found.hint) == (kind, placeholder_id, hint)
    assert str(found) == write_placeholder(kind, placeholder_id)


def test_each_id_comes_once_in_order_with_its_hint() -> None:
    found = find_placeholders("[PERSON_7QK2] [GOV_ID_A2B3] [PERSON_7QK2: a person] [PERSON_7QK2]")
    assert [(str(each), each.hint) for each in found] == [("[PERSON_7QK2]", "a person"), ("[GOV_ID_A2B3]", "")]


def test_what_only_looks_like_one_is_not_found() -> None:
    assert find_placeholders("[PERSON_1] [date_time] [PERSON_ABCD] [NOBODY_7QK2] PERSON_7QK2 [PERSON_7QK2") == ()
