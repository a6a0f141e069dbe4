import pytest

from privguard.detect.prepared import Prepared
from privguard.detect.speakers import find_speakers
from tests.growth import grows_in_proportion


def _found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in find_speakers(Prepared(text=text))]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Lennart: und dann?\nIch: nix\nLennart: krass", ["Lennart", "Lennart"]),
        ("[12:04] Karin: where\n", ["Karin"]),
        ("01.02.2025, 09:15 - Karin: where\n", ["Karin"]),
        ("The chat:\nKarin (she/her):\nwhere", ["Karin"]),
    ],
)
def test_a_given_name_before_the_colon_of_a_line_speaks(text: str, names: list[str]) -> None:
    assert _found(text) == names


@pytest.mark.parametrize(
    "text", ["Faith: what is it?", "Note: see Karin: here", "Server: nginx", "karin: x", "Mark: 2.0"]
)
def test_words_and_what_stands_within_a_line_do_not(text: str) -> None:
    assert _found(text) == []


def test_it_takes_linear_time() -> None:
    assert grows_in_proportion(lambda text: list(find_speakers(Prepared(text=text))), "Karin: ")
