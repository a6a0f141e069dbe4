import pytest

from privguard.core.entities import EntityType
from privguard.detect.key_kinds import kind_of, kinds_of, read_value


@pytest.mark.parametrize(
    ("key", "kind"),
    [
        ("last_name", EntityType.PERSON),
        ("lastName", EntityType.PERSON),
        ("users.last_name", EntityType.PERSON),
        ("Nachname", EntityType.PERSON),
        ("LNAME", EntityType.PERSON),
        ("last_name__icontains", EntityType.PERSON),
        ("password", EntityType.SECRET),
        ("API-Key", EntityType.SECRET),
        ("ssn", EntityType.GOV_ID),
        ("Passport No.", EntityType.GOV_ID),
        ("IBAN", EntityType.FIN_ACCOUNT),
        ("emergency_contact_phone", EntityType.PHONE),
        ("phone2", EntityType.PHONE),
        ("e-mail", EntityType.EMAIL),
        ("homeAddress", EntityType.ADDRESS),
        ("Date of birth", EntityType.DATE),
        ("user_name", EntityType.USERNAME),
        ("name", None),
        ("nom_produit", None),
        ("company_name", None),
        ("plan", None),
        ("password_length", None),
        ("phone_verified", None),
        ("", None),
        ("last_name" * 20, None),
    ],
)
def test_a_key_tells_the_type_of_its_values(key: str, kind: EntityType | None) -> None:
    assert kind_of(key) is kind


def test_a_name_is_somebodys_beside_what_only_people_have() -> None:
    assert kinds_of(["name", "e-mail"]) == [EntityType.PERSON, EntityType.EMAIL]
    assert kinds_of(["name", "price"]) == [None, None]


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("brandt", EntityType.PERSON),
        ("O''Brien", EntityType.PERSON),
        ("Brandt, Mia J.", EntityType.PERSON),
        ("Street", EntityType.PERSON),
        ("J.R. Kern Jr.", EntityType.PERSON),
        ("hunter2", EntityType.SECRET),
        ("4711", EntityType.SECRET),
        ("123-45-6789", EntityType.GOV_ID),
        ("1987-03-14", EntityType.DATE),
        ("14 March 1987", EntityType.DATE),
        ("555 0100", EntityType.PHONE),
        ("4 Elm Road", EntityType.ADDRESS),
        ("akern", EntityType.USERNAME),
    ],
)
def test_a_value_is_read_without_what_stands_around_it(value: str, kind: EntityType) -> None:
    text = f' "{value}" '
    span = read_value(text, 0, len(text), kind)
    assert span is not None
    assert (text[span.start : span.end], span.kind) == (value, kind)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("NULL", EntityType.PERSON),
        ("%s", EntityType.PERSON),
        ("{last_name}", EntityType.PERSON),
        ("Last name", EntityType.PERSON),
        ("Nachname", EntityType.PERSON),
        ("item 7", EntityType.PERSON),
        ("octo/repo", EntityType.PERSON),
        ("builtins.tuple", EntityType.PERSON),
        ("", EntityType.PERSON),
        ("Passwort", EntityType.SECRET),
        ("Forgot your password?", EntityType.SECRET),
        ("${PASSWORD}", EntityType.SECRET),
        ("/home/app", EntityType.SECRET),
        ("true", EntityType.PHONE),
        ("17", EntityType.PHONE),
        ("/login", EntityType.USERNAME),
        ("12", EntityType.USERNAME),
        ("admin", EntityType.USERNAME),
        ("10.0.0.1:80", EntityType.ADDRESS),
        ("none", EntityType.GOV_ID),
    ],
)
def test_what_stands_for_a_value_is_none(value: str, kind: EntityType) -> None:
    assert read_value(f'"{value}"', 0, len(value) + 2, kind) is None
