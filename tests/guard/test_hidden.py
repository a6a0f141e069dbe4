from collections.abc import Callable

import pytest

from privguard.core.entities import EntityType
from privguard.guard import Guard
from privguard.guard.shapes import text_segments
from privguard.testing import FakeDetector, FakeNeed

VALUES = {
    "Ada Roth": EntityType.PERSON,
    "203.0.113.7": EntityType.DEVICE_ID,
    "Zurich": EntityType.LOCATION,
    "34": EntityType.AGE,
    "Ada": EntityType.PERSON,
}
TEXT = "Ada Roth, 34, of Zurich, from 203.0.113.7. Ada."


@pytest.mark.parametrize(
    ("text", "hidden", "chosen"),
    [
        ("203.0.113.7", True, True),
        ("via 203.0.113.7:80", True, True),
        ("ADA  ROTH", True, True),
        ("tool_ada roth_x", True, True),
        ("get_zurich_weather", True, False),
        ("Ada", True, False),
        ("get_ada_value", True, False),
        ("Zurichberg", False, False),
        ("1203.0.113.70", False, False),
        ("34", False, False),
        ("gpt-5", False, False),
        ("", False, False),
    ],
)
def test_what_the_plan_hides_is_known_beside_the_content(
    make_guard: Callable[..., Guard], text: str, hidden: bool, chosen: bool
) -> None:
    with make_guard(detector=FakeDetector(VALUES)).begin(text_segments(TEXT), target="m") as exchange:
        assert exchange.hides(text) is hidden
        assert exchange.hides(text, chosen=True) is chosen
        assert "Ada" not in repr(exchange._life.hidden)


def test_what_the_plan_retains_and_what_is_over_is_not_hidden(make_guard: Callable[..., Guard]) -> None:
    retaining = make_guard(detector=FakeDetector(VALUES), need=FakeNeed(b_redact=9.0, b_abstract=9.0))
    with retaining.begin(text_segments(TEXT), target="m") as exchange:
        assert not exchange.hides("Ada Roth")
    with make_guard(detector=FakeDetector(VALUES)).begin(text_segments(TEXT), target="m") as exchange:
        pass
    assert not exchange.hides("Ada Roth")
