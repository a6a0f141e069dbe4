from privguard.research.training.gazetteers import Gazetteers
from privguard.research.training.seeds import seeded
from privguard.research.training.swapping_names import NameSwaps, styled


def test_parts_of_a_name_become_parts_of_the_new_one(gazetteers: Gazetteers) -> None:
    for seed in range(20):
        names = NameSwaps(seeded(seed), gazetteers)
        given, surname = names.person("Enzo Stenfalk").split(" ", 1)
        assert names.person("Enzo") == given
        assert names.person("STENFALK") == surname.upper()
        assert names.person("Dr. Stenfalk") == f"Dr. {surname}"
        assert names.person("Stenfalk, Enzo") == f"{surname}, {given}"


def test_logins_carry_the_new_names_and_links_keep_their_ends(gazetteers: Gazetteers) -> None:
    names = NameSwaps(seeded(5), gazetteers)
    given, surname = names.person("Enzo Stenfalk").lower().split(" ", 1)
    made = names.login("enzo.stenfalk7@quillon.example")
    assert made.startswith(f"{given}.{surname}")
    assert made.endswith(".example")
    assert "quillon" not in made
    assert names.login("https://www.example.org/in/x").startswith("https://www.example.org/in/x")


def test_names_stay_in_their_script(gazetteers: Gazetteers) -> None:
    names = NameSwaps(seeded(1), gazetteers)
    for value in ("Иван Громов", "دانيال نصار", "דן כהן"):
        made = names.person(value)
        assert made != value
        assert all(ord(sign) > 0x370 for sign in made if sign.isalpha())
    whole = names.person("松田葵")
    assert not whole.isascii()


def test_letter_case_follows_the_old_value() -> None:
    assert styled("ada", "BEN") == "ADA"
    assert styled("Ada", "ben") == "ada"
    assert styled("ada", "Ben") == "Ada"
