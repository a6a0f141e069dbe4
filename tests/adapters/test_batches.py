from typing import Any

import pytest

from privguard.core.audit import Outcome
from privguard.core.errors import DetectionError
from privguard.core.segments import Channel, Role, Segment
from privguard_adapters.batches import Batch, begin_each, reference_of
from privguard_adapters.wire.request import Part, RequestView
from tests.adapters.fake_guard import FakeExchange, FakeGuard


def part(name: str, *texts: str) -> Part:
    segments = tuple([Segment(path="p", role=Role.USER, channel=Channel.TEXT, text=text) for text in texts])
    view = RequestView(target=f"model-{name}", stream=False, segments=segments, checks=())
    return Part(name=name, view=view, extent=(0, 0))


def test_one_request_is_begun_as_it_is() -> None:
    guard = FakeGuard()
    assert begin_each(guard, ()) == guard.begin


def test_each_part_is_an_exchange_and_what_leaves_is_that_of_all() -> None:
    guard = FakeGuard(content_only=("Elm Lane",))
    batch = begin_each(guard, [part("a", "Ada Roth"), part("b", "x", "Elm Lane")])((), target="m", profile="p")
    assert [segment.text for segment in batch.outgoing] == ["[PERSON_7QK2]", "x", "Elm Lane"]
    assert (len(guard.exchanges), guard.profiles) == (2, ["p", "p"])
    assert batch.hides("41 Elm Lane")
    assert not batch.hides("x")
    assert batch.restore("[PERSON_7QK2]") == "[PERSON_7QK2]"
    stream = batch.stream()
    assert stream.feed("[PERSON_7QK2]") + stream.flush() == "[PERSON_7QK2]"
    batch.close(Outcome.FAILED)
    assert guard.outcomes == [Outcome.FAILED, Outcome.FAILED]


class Fails(FakeGuard):
    """A guard that minimizes one request and no more."""

    def begin(self, *args: Any, **kwargs: Any) -> FakeExchange:  # noqa: ANN401 - whatever it is given
        if self.exchanges:
            raise DetectionError("broken")
        return super().begin(*args, **kwargs)


def test_what_was_begun_before_a_failure_is_blocked() -> None:
    guard = Fails()
    with pytest.raises(DetectionError):
        begin_each(guard, [part("a", "x"), part("b", "y")])((), target="m")
    assert guard.outcomes == [Outcome.BLOCKED]


def test_each_part_is_kept_under_a_name_of_its_own() -> None:
    class Noting(FakeExchange):
        def hold(self, *_arguments: Any, **_options: Any) -> str:  # noqa: ANN401 - whatever is asked
            return "held"

        def bind(self, reference: str, *, keep: bool = False) -> None:
            self.paths.append(f"{reference}{'+' if keep else ''}")

    exchanges = [Noting(outgoing=(), profile=FakeGuard().profile, known={}) for _ in "ab"]
    batch = Batch(["a", "b"], exchanges, [{}, {}])
    assert batch.hold() == "held"
    batch.bind("msgbatch_1")
    assert [each.paths for each in exchanges] == [["msgbatch_1", "msgbatch_1:a+"], ["msgbatch_1:b"]]
    assert reference_of("msgbatch_1", "a") == "msgbatch_1:a"
