import pytest

from privguard.core.entities import EntityType
from privguard.core.spans import Span
from privguard.detect.keyed import behind, lead_of
from privguard.guard.shapes import text_segments


def span(start: int, end: int) -> Span:
    return Span(start=start, end=end, kind=EntityType.SECRET, score=0.9, source="test")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("hunter2", "", id="no document"),
        pytest.param('["hunter2"]', "", id="no key"),
        pytest.param('{"pin": "hunter2"}', "pin: ", id="a key"),
        pytest.param('{"pin": [{"old": ["hunter2"]}]}', "old: ", id="the nearest key"),
        pytest.param('{"pin": 12345678}', "pin: ", id="a number"),
        pytest.param('{"pin": "' + "x" * 121 + '"}', "", id="a long value"),
        pytest.param('{"' + "x" * 121 + '": "hunter2"}', "", id="a long key"),
        pytest.param('{"": "hunter2"}', "", id="an empty key"),
    ],
)
def test_a_short_value_is_led_by_its_key(text: str, expected: str) -> None:
    assert lead_of(text_segments(text)[-1], ()) == expected


def test_keys_are_led_by_nothing() -> None:
    assert lead_of(text_segments('{"a": {"pin": "hunter2"}}')[1], ()) == ""


def test_a_value_of_which_all_was_found_needs_no_lead() -> None:
    value = text_segments('{"pin": "hunter2"}')[-1]
    assert lead_of(value, [span(0, 7)]) == ""
    assert lead_of(value, [span(0, 6)]) == "pin: "


def test_what_lies_in_the_lead_is_left_out() -> None:
    found = behind("pin: ", [span(0, 3), span(0, 5), span(0, 8), span(5, 12)])
    assert [(each.start, each.end) for each in found] == [(0, 3), (0, 7)]
