import pytest

from privguard.detect.merge import merge
from privguard.detect.people import find_people
from privguard.detect.prepared import Prepared


def _found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in merge(find_people(Prepared(text=text)), text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dr. Otto von Hagen and Maria de la Cruz", ["Otto von Hagen", "Maria de la Cruz"]),
        ("Sam L. Kole Jr. and J. R. Lind", ["Sam L. Kole Jr.", "J. R. Lind"]),
        ("😀👩‍🔬 ich bin Dani Roth", ["Dani Roth"]),
        ("Herr Kole und Frau Dr. Lind", ["Kole", "Lind"]),
        ("Mme Ada d'Aubigny est là", ["Ada d'Aubigny"]),
        ("my name is Ada", ["Ada"]),
        ("I am Ada Roth.", ["Ada Roth"]),
        ("Je m'appelle Zoé Lind, bonjour", ["Zoé Lind"]),
        ("me llamo Ana Ruiz", ["Ana Ruiz"]),
        ("Dear Ada,\nthanks", ["Ada"]),
        ("Best regards,\nBen Kole\n", ["Ben Kole"]),
        ("Viele Grüße\nAda Roth", ["Ada Roth"]),
        ("From: Ada Roth <a@roth.example>", ["Ada Roth"]),
        ('{"name": "Ada Roth"}', ["Ada Roth"]),
        ("Patient: Ben Kole\nAge", ["Ben Kole"]),
        ("Mr Bin Salem", ["Bin Salem"]),
        ("Mrs O'Neil-Roth", ["O'Neil-Roth"]),
        ("Mrs O\u2018Neil-Roth, Mr D\u00b4Angelo", ["O\u2018Neil-Roth", "D\u00b4Angelo"]),
        ("Ahmad bin Salem spoke", ["Ahmad bin Salem"]),
    ],
)
def test_marked_names_are_found_whole(text: str, expected: list[str]) -> None:
    assert _found(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Submit the Bill Rate by May; April targets, Grant proposal, Mark as done",
        "Each individual must sign.",
        "build 6033391 at 08:51:06",
        "sha512-Ym2xQ0f1Zw== and s3, m2, EKS, C4",
        "Dear Sir or Madam,",
        "Hi all,\nthanks",
        "I am German. I am Happy. I'm sorry",
        "name: string\nname: id",
        "Best regards,\nThe Team",
        "the user is here",
        "",
    ],
)
def test_prose_and_code_hold_no_names(text: str) -> None:
    assert _found(text) == []
