import pytest

from privguard.detect.shown import shown_views


def _bold(text: str) -> str:
    return "".join([chr(ord(letter) - ord("A") + 0x1D400) if letter.isupper() else letter for letter in text])


def _wide(text: str) -> str:
    return "".join([chr(ord(letter) + 0xFEE0) if letter.isalpha() else letter for letter in text])


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("O&#39;Brien", ["O'Brien"]),
        ("Herr K=C3=B6ster", ["Herr K\u00f6ster"]),
        ("To: =?utf-8?Q?Ada_Roth?= x", ["To:  Ada Roth  x"]),
        ("K\u00c3\u00b6ster", ["K\u00f6ster"]),
        (f"{_bold('ADA')} {_bold('R')}. Roth", ["ADA R. Roth"]),
        (_wide("Ada Roth"), ["Ada Roth"]),
        ("\uff94\uff8f\uff80\uff9e \uff80\uff9b\uff73", ["\u30e4\u30de\u30c0 \u30bf\u30ed\u30a6"]),
        ("\U000e0041\U000e0064\U000e0061", ["Ada"]),
        ("\u24b6\u24d3\u24d0 \U0001f130\U0001f131\U0001f132", ["Ada ABC"]),
    ],
    ids=range(9),
)
def test_a_text_is_read_as_it_shows(text: str, shown: list[str]) -> None:
    views = list(shown_views(text))
    assert [view.text for view in views] == shown
    assert views[0].back(0, len(shown[0])) == (0, len(text))


@pytest.mark.parametrize(
    "text",
    [
        "Ada Roth",
        "x=42&id=AB",
        "it\\'s M\\\"uller",
        "the field \u211d and \U0001d465\U0001d466",
        "J\u00fcrgen",
        "\u5c71\u7530\uff21",
    ],
    ids=range(6),
)
def test_what_may_be_chance_is_read_once(text: str) -> None:
    assert list(shown_views(text)) == []
