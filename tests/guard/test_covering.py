"""A value that R would not write back where it stands is taken together with what stands before it."""

from collections.abc import Callable

import pytest

from privguard.core.entities import EntityType
from privguard.guard import Guard
from privguard.guard.shapes import text_segments
from privguard.testing import FakeDetector

VALUES = {"Ada Roth": EntityType.PERSON, "aroth": EntityType.USERNAME, "Zurich": EntityType.LOCATION}


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("(\\\\Ada Roth", {"URL"}),
        ('Open "\\\\fs01\\home\\aroth\\cv.txt", Ada Roth', {"USERNAME", "PERSON"}),  # a string of code
        ('<a href="\\\\fs01\\home\\aroth\\cv.txt">Ada Roth', {"URL", "PERSON"}),
        ('Open "\\\\\\\\fs01\\home\\aroth\\cv.txt", Ada Roth', {"URL", "PERSON"}),
        ('"\\\\fs01\\Zurich\\x" "\\\\fs01\\Zurich\\x"', {"LOCATION"}),
        ('src="\\\\Zurich\\aroth\\x"', {"URL"}),
        ('const u = [\n  //"Ada Roth",\n]', {"URL"}),
        ('curl https://x.example/?name="Ada Roth"', {"URL"}),
        ("www.`aroth`", {"URL"}),
        ("http://x.example/\u00a0Ada Roth", {"URL"}),
    ],
)
def test_a_path_that_opens_a_url_comes_back_with_its_value(
    make_guard: Callable[..., Guard], text: str, kinds: set[str]
) -> None:
    guard = make_guard(detector=FakeDetector(VALUES))
    with guard.begin(text_segments(text), target="m") as exchange:
        outgoing = exchange.outgoing[0].text
        assert not any(value in outgoing for value in VALUES)
        assert {decision.span.kind.value for decision in exchange.plan} == kinds
        assert exchange.restore(outgoing) == text


def test_the_mentions_beside_it_keep_their_placeholder(make_guard: Callable[..., Guard]) -> None:
    guard = make_guard(detector=FakeDetector(VALUES))
    text = 'src="\\\\fs01\\aroth\\a", src="\\\\fs01\\aroth\\b", aroth: Ada Roth'
    with guard.begin(text_segments(text), target="m") as exchange:
        ids = [decision.placeholder_id for decision in exchange.plan]
        assert ids[0] == ids[1] != ids[2]
        assert exchange.restore(exchange.outgoing[0].text) == text
