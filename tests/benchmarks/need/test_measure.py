"""How need models are scored."""

from collections.abc import Iterable, Sequence

import numpy as np
import pytest

from benchmarks.need.gold import Request, Row
from benchmarks.need.measure import acted, collect, predict, rank, top_fifth, type_prior
from privguard.core.entities import EntityType
from privguard.core.plan import Need
from privguard.core.segments import Channel, Role, Segment
from privguard.core.spans import Span
from privguard.minimizer.profiles import Profiles

LABELS = (0, 4, 1, 3)


class Scripted:
    """Say of every span what its length says: longer is needed more."""

    id = "scripted"

    def need(self, segments: Sequence[Segment], spans: Sequence[Sequence[Span]]) -> tuple[tuple[Need, ...], ...]:
        del segments
        return tuple(tuple(Need(b_redact=4.0 * span.length - 10.0, b_abstract=-10.0) for span in row) for row in spans)


def request(label: int) -> Request:
    segment = Segment(path="messages[0].content", role=Role.USER, channel=Channel.TEXT, text="Ada Roth met Ben Kole")
    span = Span(start=0, end=1 + label, kind=EntityType.PERSON, score=1.0, source="gold")
    return Request(
        segments=(segment,),
        spans=((span,),),
        rows=(Row(kind=EntityType.PERSON, labels=(label, label), mentions=((0, 0),)),),
    )


def plain(items: Iterable[Request]) -> Iterable[Request]:
    return items


def test_a_model_that_knows_the_labels_ranks_perfectly_and_acts_right() -> None:
    requests = [request(label) for label in LABELS]
    judged = collect(requests)
    settings, target = Profiles.from_mapping({}).resolve("gpt-5", "default")
    found = predict(Scripted(), requests, target, settings, plain)
    assert rank(judged, judged.mean, found.difficulty, seed=1).value == 1.0
    kept, redacted = acted(judged, judged.mean, found, seed=1)
    assert (kept.value, redacted.value) == (1.0, 1.0)
    assert (kept.n, redacted.n) == (2, 2)


def test_the_neediest_mention_speaks_for_a_value() -> None:
    one = request(0)
    far = Span(start=9, end=17, kind=EntityType.PERSON, score=1.0, source="gold")
    both = Request(
        segments=one.segments,
        spans=((*one.spans[0], far),),
        rows=(Row(kind=EntityType.PERSON, labels=(0,), mentions=((0, 0), (0, 1))),),
    )
    settings, target = Profiles.from_mapping({}).resolve("gpt-5", "default")
    found = predict(Scripted(), [both], target, settings, plain)
    assert found.difficulty[0] == pytest.approx(4.0 * 8 - 10.0 - target.theta)


def test_the_top_fifth_of_five_is_one() -> None:
    judged = collect([request(label) for label in (4, 0, 0, 0, 3)])
    assert top_fifth(judged, judged.mean, np.array([9.0, 1, 1, 1, 8]), seed=1).value == 0.5


def test_a_set_of_one_class_is_unscored() -> None:
    judged = collect([request(0), request(1)])
    assert rank(judged, judged.mean, np.array([0.0, 1.0]), seed=1).value is None


def test_the_type_prior_is_learned_elsewhere() -> None:
    known = collect([request(4), request(4), request(0)])
    assert type_prior(known, collect([request(0)])) == pytest.approx([3 / 5])
