"""What a request costs grows with what stands in it, not with its values times its texts."""

import json
from collections.abc import Callable, Sequence
from itertools import product

import pytest

from privguard.api import minimize
from privguard.core.entities import EntityType
from privguard.core.segments import Segment
from privguard.core.spans import Span
from privguard.guard import Guard, Parts
from privguard.replacements.key import Key
from privguard.testing import FakeAbstractor, FakeNeed, FakeProfiles, ListSink

GIVEN = [f"{first}{last}" for first, last in product(("Al", "Be", "Ca", "Du", "El"), ("mira", "nor", "tho", "vik"))]
SURNAMES = [
    f"{first}{last}" for first, last in product(("Kor", "Lam", "Mel", "Nar", "Ost"), ("aby", "elk", "ibo", "uth"))
]
NAMES = [f"{given} {surname}" for given, surname in product(GIVEN, SURNAMES)]


class _ByMark:
    """Find a name behind its mark, at a cost that hangs on the text alone."""

    id = "by-mark/1"

    def detect(self, segments: Sequence[Segment]) -> tuple[tuple[Span, ...], ...]:
        return tuple(self._found(segment.text) for segment in segments)

    def _found(self, text: str) -> tuple[Span, ...]:
        start = text.find("# ") + 2
        if start < 2:
            return ()
        return (Span(start=start, end=len(text), kind=EntityType.PERSON, score=1.0, source="mark"),)


def _guard() -> Guard:
    return Guard(
        Parts(
            detector=_ByMark(),
            need=FakeNeed(b_redact=9.0, b_abstract=9.0),
            abstractor=FakeAbstractor(),
            profiles=FakeProfiles(),
            sink=ListSink(),
            key=Key.from_text("correct horse battery staple"),
        )
    )


def _document(names: Sequence[str]) -> str:
    return json.dumps([{"name": f"# {name}"} for name in names])


def _messages(names: Sequence[str]) -> list[dict[str, object]]:
    return [{"role": "user", "content": f"I am # {name}"} for name in names]


@pytest.mark.parametrize("written", [_document, _messages])
def test_a_request_costs_what_stands_in_it(
    written: Callable[[Sequence[str]], str | list[dict[str, object]]],
    calls_of: Callable[[Callable[[], object]], int],
) -> None:
    minimize(written(NAMES[:1]), target="m", guard=_guard())  # what is built once in a process
    costs = []
    for count in (60, 240):
        guard, content = _guard(), written(NAMES[:count])
        costs.append(calls_of(lambda guard=guard, content=content: minimize(content, target="m", guard=guard)))  # type: ignore[misc]
    assert costs[1] < 5.5 * costs[0]
