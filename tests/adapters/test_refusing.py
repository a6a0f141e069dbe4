import pytest

from privguard.core.audit import Outcome
from privguard.core.errors import DetectionError, UnknownContentError
from privguard_adapters.refusing import closing, recorded, refusal_of
from tests.adapters.fake_guard import FakeGuard


def fail() -> None:
    raise KeyError("Ada Roth")


def test_a_refusal_is_recorded_and_its_cause_forgotten() -> None:
    guard = FakeGuard()
    with pytest.raises(UnknownContentError) as caught:
        recorded(guard, "openai.files", fail)
    assert guard.blocked == [("openai.files", "UnknownContentError")]
    assert "Ada" not in str(caught.value)
    assert caught.value.__context__ is None


def test_an_exchange_whose_request_does_not_leave_is_closed() -> None:
    guard = FakeGuard()
    with pytest.raises(UnknownContentError) as caught:
        closing(guard.begin((), target="m"), fail)
    assert caught.value.__context__ is None
    assert guard.outcomes == [Outcome.BLOCKED]


def test_what_goes_well_is_left_alone() -> None:
    guard = FakeGuard()
    assert recorded(guard, "r", lambda: 1) == closing(guard.begin((), target="m"), lambda: 1) == 1
    assert (guard.blocked, guard.outcomes) == ([], [None])


def test_the_place_stands_before_what_went_wrong() -> None:
    error = refusal_of(DetectionError("broken"), "line 3")
    assert (type(error), str(error)) == (DetectionError, "line 3: broken")
