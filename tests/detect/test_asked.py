import pytest

from privguard.core.entities import EntityType
from privguard.core.spans import Span
from privguard.detect.asked import without_marks

DEPOSITION = "41:8 Q. When was that?\n41:9 A. When it closed, 7:15.\n41:10 Q. Who was there?\n41:11 A. He was.\n"


def _left(text: str, *mentions: str) -> list[str]:
    spans = [
        Span(start=at, end=at + len(mention), kind=EntityType.PERSON, score=0.8, source="encoder")
        for mention in mentions
        for at in [text.index(mention)]
    ]
    return [text[span.start : span.end] for span in without_marks(text, spans)]


def test_the_marks_of_questions_and_answers_are_nobody() -> None:
    assert _left(DEPOSITION, "Q", "A", "A. When") == []


@pytest.mark.parametrize(
    ("text", "mention"),
    [
        (DEPOSITION + "41:12 A. Roth was.\n", "A. Roth"),
        (DEPOSITION + "41:12 A. Li was.\n", "A. Li"),
        ("Q. Who?\nA. Nobody.\n", "A"),  # too few to tell
        ("A. called.\nB. did not.\nA. wrote.\n", "A"),
        (DEPOSITION + "He called A. twice", "A. twice"),
    ],
)
def test_other_letters_and_names_stay(text: str, mention: str) -> None:
    assert _left(text, mention) == [mention]
