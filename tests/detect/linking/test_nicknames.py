import pytest

from privguard.detect.linking.nicknames import are_alike, look_up


@pytest.mark.parametrize(
    ("short", "full"),
    [("johnny", "john"), ("bill", "william"), ("peggy", "margaret"), ("pepe", "joseph"), ("kasia", "catherine")],
)
def test_a_pet_form_shares_a_row_with_the_full_name(short: str, full: str) -> None:
    assert set(look_up(short).rows) & set(look_up(full).rows)


def test_the_sex_is_told_only_where_it_is_one() -> None:
    assert [look_up(name).gender for name in ("johnny", "peggy", "alex", "sascha", "reik")] == ["m", "f", "", "", ""]


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("bob", "robert", True),
        ("bob", "rob", True),
        ("annie", "anne", True),
        ("anna", "anne", False),
        ("john", "jan", False),
        ("jan", "janet", True),
        ("bob", "william", False),
        ("reik", "reik", False),
    ],
)
def test_names_of_their_own_are_not_alike_and_pet_forms_are(one: str, other: str, *, alike: bool) -> None:
    assert are_alike([one], [other]) is are_alike([other], [one]) is alike
