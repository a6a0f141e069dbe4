from collections.abc import Callable

import pytest

from privguard.core.entities import EntityType
from privguard.testing.canary import Canary, all_canaries, luhn_digit, values_of

MAKERS = (
    Canary.person,
    Canary.username,
    Canary.email,
    Canary.phone,
    Canary.address,
    Canary.card,
    Canary.iban,
    Canary.gov_id,
    Canary.record_id,
    Canary.ip,
    Canary.url,
    Canary.secret,
    Canary.organization,
    Canary.location,
    Canary.date,
)


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_a_thousand_seeds_make_a_thousand_values(make: Callable[[int], Canary]) -> None:
    assert len({make(seed).value for seed in range(1_000)}) == 1_000


def test_a_seed_always_makes_the_same_values() -> None:
    assert all_canaries(7) == all_canaries(7)
    assert len(all_canaries(7)) == len(MAKERS)


def test_no_canary_contains_another_one() -> None:
    values = [canary.value for seed in range(30) for canary in all_canaries(seed)]
    assert len(set(values)) == len(values)
    cards = [Canary.card(seed).value for seed in range(30)]
    assert not any(card in value for card in cards for value in values if value not in cards)


def test_cards_pass_the_luhn_check() -> None:
    for seed in range(200):
        digits = Canary.card(seed).value.replace(" ", "")
        assert len(digits) == 16
        assert luhn_digit(digits[:-1]) == digits[-1]
    assert luhn_digit("411111111111111") == "1"


def test_account_numbers_pass_the_checksum() -> None:
    for seed in range(200):
        value = Canary.iban(seed).value
        moved = value[4:] + value[:4]
        assert int("".join(str(int(letter, 36)) for letter in moved)) % 97 == 1


def test_a_repr_holds_no_value() -> None:
    for canary in all_canaries():
        assert canary.value not in repr(canary)


def test_values_go_with_their_types() -> None:
    email = Canary.email(3)
    assert values_of([email, Canary.secret()]) == {
        email.value: EntityType.EMAIL,
        Canary.secret().value: EntityType.SECRET,
    }
