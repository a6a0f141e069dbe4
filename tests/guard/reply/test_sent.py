import pytest

from privguard.core.entities import EntityType
from privguard.core.restoring import RestoreEntry, RestoreTable
from privguard.guard.reply.sent import Sent
from privguard.guard.shapes import text_segments

TEXT = "I am Ada Roth-Kern of Zürich; card 4111 1111 1111 1111, call 030 5550199, mail Ada@Roth.example, ref AB/99-201."
VALUES = (
    (EntityType.PERSON, "Ada Roth-Kern"),
    (EntityType.FIN_ACCOUNT, "4111 1111 1111 1111"),
    (EntityType.PHONE, "030 5550199"),
    (EntityType.EMAIL, "Ada@Roth.example"),
    (EntityType.RECORD_ID, "AB/99-201"),
)
KNOWN = [
    (EntityType.PERSON, "Ada Roth-Kern"),
    (EntityType.PERSON, "ADA"),
    (EntityType.PERSON, "Ms Ada Roth-Kern"),
    (EntityType.PERSON, "A. Roth-Kern"),
    (EntityType.PERSON, "Ada&nbsp;Roth&#45;Kern"),
    (EntityType.LOCATION, "Z&uuml;rich"),
    (EntityType.LOCATION, r"Z\xfcrich"),
    (EntityType.LOCATION, "zurich"),
    (EntityType.FIN_ACCOUNT, "4111-1111-1111-1111"),
    (EntityType.RECORD_ID, "4111111111111111"),
    (EntityType.PHONE, "030 / 555 0199"),
    (EntityType.EMAIL, "ada@roth.example"),
    (EntityType.RECORD_ID, "ab99201"),
    (EntityType.MISC, "…"),
]
NEWS = [
    (EntityType.PERSON, "Ben Kole"),
    (EntityType.PERSON, "Ada Kole"),
    (EntityType.PERSON, "Ada&nbsp;Kole"),
    (EntityType.PERSON, "B. Roth-Kern"),
    (EntityType.FIN_ACCOUNT, "4111 1111 1111 1112"),
    (EntityType.FIN_ACCOUNT, "1111-11111111"),
    (EntityType.PHONE, "030 5550198"),
    (EntityType.EMAIL, "ben@roth.example"),
    (EntityType.RECORD_ID, "9920"),
]


@pytest.mark.parametrize(("kind", "value"), KNOWN, ids=range(len(KNOWN)))
def test_a_value_of_the_request_is_known_in_every_spelling(kind: EntityType, value: str) -> None:
    assert Sent([TEXT], VALUES).holds(kind, value)


@pytest.mark.parametrize(("kind", "value"), NEWS, ids=range(len(NEWS)))
def test_another_value_is_news(kind: EntityType, value: str) -> None:
    assert not Sent([TEXT], VALUES).holds(kind, value)


def test_what_was_restored_of_earlier_requests_is_known() -> None:
    entry = RestoreEntry(
        placeholder_id="7QK2", kind=EntityType.PERSON, value="Ben Kole", forms=(("nickname", "Benny"),)
    )
    sent = Sent.of(text_segments(TEXT), [], RestoreTable(entries={"7QK2": entry}))
    assert sent.holds(EntityType.PERSON, "ben kole")
    assert sent.holds(EntityType.PERSON, "Benny")
    assert not sent.holds(EntityType.PERSON, "Cleo Marsh")


def test_nothing_is_known_of_nothing() -> None:
    assert not Sent().holds(EntityType.PERSON, "Ada")


def test_no_content_is_shown() -> None:
    assert "Ada" not in repr(Sent([TEXT], VALUES))
