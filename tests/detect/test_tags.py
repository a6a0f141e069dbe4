import pytest

from privguard.detect.tags import tag_view

FLAG = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"


def tagged(text: str) -> str:
    return "".join([chr(0xE0000 + ord(letter)) for letter in text])


@pytest.mark.parametrize("before", ["see ", f"{FLAG} ", "\U0001f3f4"], ids=len)
def test_tags_are_read_as_the_letters_that_they_stand_for(before: str) -> None:
    view = tag_view(f"{before}{tagged('Ada Roth')}.")
    assert view is not None
    assert view.text == f"{before}Ada Roth."
    assert view.back(len(before), len(before) + 8) == (len(before), len(before) + 8)


@pytest.mark.parametrize("text", ["Ada Roth", "Zoë", FLAG, f"{FLAG}{FLAG}"], ids=len)
def test_a_text_without_tags_but_those_of_flags_has_no_view(text: str) -> None:
    assert tag_view(text) is None
