from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest

from privguard.core.audit import Intent, Outcome
from privguard.core.entities import EntityType
from privguard.core.errors import DetectionError, VaultError
from privguard.core.segments import Segment
from privguard.core.spans import Span
from privguard.core.targets import UNTOLD
from privguard.detect import rules_detector
from privguard.detect.composite import CompositeDetector
from privguard.guard import Guard
from privguard.guard.shapes import text_segments
from privguard.guard.telling import told
from privguard.testing import Canary, FailingDetector, FakeDetector, ListSink
from privguard.vault import open_vault

MODELS = [
    "gpt-5",
    "gpt-4o-2024-08-06",
    "claude-3-5-sonnet-20241022",
    "meta-llama/Llama-3.1-8B-Instruct",
    "ft:gpt-4o-mini-2024-07-18:acme::x1",
    "qwen2.5-0.5b-instruct",
    "",
]
SECRETS = [Canary.secret().value, Canary.iban().value, Canary.card().value, f"gpt-5-{Canary.secret().value}"]


@dataclass
class _Announced(ListSink):
    """A sink that is told of requests before they leave."""

    intents: list[Intent] = field(default_factory=list)

    def begin(self, intent: Intent) -> None:
        self.intents.append(intent)


class _FailingOnTexts:
    """A detector that fails on what is said, and reads names by rules."""

    id = "fake/failing-on-texts"

    def detect(self, segments: Sequence[Segment]) -> tuple[tuple[Span, ...], ...]:
        if any(" " in segment.text for segment in segments):
            raise RuntimeError
        return rules_detector().detect(segments)


def test_a_target_is_told_unless_a_look_finds_something() -> None:
    def failing(_text: str) -> bool:
        raise RuntimeError

    assert told("m", lambda _text: False) == "m"
    assert told("m", lambda _text: False, lambda _text: True) == UNTOLD
    assert told("m", failing) == UNTOLD
    assert told("", failing) == ""


@pytest.mark.parametrize("number", range(len(SECRETS)))
def test_no_record_names_a_target_that_holds_something_sensitive(make_guard: Callable[..., Guard], number: int) -> None:
    sink, target = _Announced(), SECRETS[number]
    guard = make_guard(detector=rules_detector(), sink=sink, vault=open_vault("memory:"))
    exchange = guard.begin(text_segments("hello"), target=target)
    exchange.hold("r")
    exchange.close()
    guard.block(route="by-hand", target=target, error=DetectionError())
    guard.reopen("r", target=target).close()
    with pytest.raises(VaultError):
        guard.reopen("nothing", target=target)
    assert [record.target for record in sink.records] == [UNTOLD] * 4
    assert [intent.target for intent in sink.intents] == [UNTOLD]
    assert target not in repr(sink.records)


@pytest.mark.parametrize("model", MODELS)
def test_a_record_names_an_ordinary_model(make_guard: Callable[..., Guard], model: str) -> None:
    sink = _Announced()
    guard = make_guard(detector=rules_detector(), sink=sink)
    guard.begin(text_segments("I am Ada Roth"), target=model).close()
    guard.block(route="by-hand", target=model, error=DetectionError())
    assert [record.target for record in sink.records] == [model] * 2
    assert [intent.target for intent in sink.intents] == [model]


def test_no_record_names_a_target_that_holds_a_hidden_value(make_guard: Callable[..., Guard]) -> None:
    sink = _Announced()
    names = FakeDetector({"X7K-2291-QQ": EntityType.GOV_ID})
    guard = make_guard(detector=CompositeDetector(names, rules_detector()), scanner=rules_detector(), sink=sink)
    guard.begin(text_segments("I am X7K-2291-QQ"), target="notes-X7K-2291-QQ").close()
    guard.begin(text_segments("hello"), target="notes-X7K-2291-QQ").close()
    assert [record.target for record in sink.records] == [UNTOLD, "notes-X7K-2291-QQ"]
    assert [intent.target for intent in sink.intents] == [UNTOLD, "notes-X7K-2291-QQ"]


def test_the_record_of_a_failing_detector_names_only_what_was_looked_at(make_guard: Callable[..., Guard]) -> None:
    sink = ListSink()
    for detector, target in ((_FailingOnTexts(), "gpt-5"), (_FailingOnTexts(), SECRETS[0]), (FailingDetector(), "m")):
        with pytest.raises(DetectionError):
            make_guard(detector=detector, sink=sink).begin(text_segments("I am here"), target=target)
    assert [record.target for record in sink.records] == ["gpt-5", UNTOLD, UNTOLD]
    assert {record.outcome for record in sink.records} == {Outcome.BLOCKED}
