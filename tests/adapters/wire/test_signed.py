from hypothesis import given
from hypothesis import strategies as st

from privguard_adapters.wire.signed import SignedTexts


@given(st.text(), st.text(min_size=1), st.text(), st.text())
def test_a_text_is_known_with_its_signature_alone(text: str, signature: str, other: str, another: str) -> None:
    signed = SignedTexts()
    signed.note(text, signature)
    assert signed.knows(text, signature)
    assert signed.knows(other, another) is ((other, another) == (text, signature))


def test_what_is_not_signed_is_not_remembered() -> None:
    signed = SignedTexts()
    signed.note("a", "")
    assert not signed.knows("a", "")


def test_the_oldest_are_forgotten_first_and_nothing_is_shown() -> None:
    signed = SignedTexts(limit=2)
    for text in ("Ada", "Ben", "Ada", "Cid"):
        signed.note(text, "s")
    assert [signed.knows(text, "s") for text in ("Ada", "Ben", "Cid")] == [True, False, True]
    assert repr(signed) == "SignedTexts(2)"


def test_the_two_parts_cannot_be_shifted() -> None:
    signed = SignedTexts()
    signed.note("ab", "c")
    assert not signed.knows("a", "bc")
