import json

from privguard.testing.letter import draft_letter
from privguard.testing.recorded import Recorded


def letter(prompt: str) -> str:
    raw = json.dumps({"messages": [{"role": "user", "content": prompt}]}).encode()
    text = draft_letter(Recorded(method="POST", target="/", headers=(), body=raw, decoded=raw)).text
    assert text is not None
    return text


def test_the_letter_uses_every_placeholder_it_has_a_place_for() -> None:
    held = "[PERSON_7QK2] [RECORD_ID_A2B3] [DATE_C4D5] [LOCATION_E6F7] [FINANCE_G8H9] [EMAIL_J2K3] [PHONE_L4M5]"
    text = letter(held)
    assert all(placeholder in text for placeholder in held.split())


def test_sentences_without_a_value_are_left_out() -> None:
    text = letter("[PERSON_7QK2]")
    assert "[PERSON_7QK2]" in text
    assert "{" not in text
    assert "Please transfer" not in text
    assert letter("nothing").startswith("Subject: Objection to your decision\n\nDear Sir or Madam,")


def test_the_letter_holds_nothing_else_of_the_request() -> None:
    assert "zebra" not in letter("zebra [PERSON_7QK2] zebra")
