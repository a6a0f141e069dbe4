import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from privguard.core.audit import Outcome
from privguard.core.entities import EntityType
from privguard.core.errors import UnknownContentError
from privguard.core.plan import Action, Reason
from privguard.core.profile import OnReply, Profile, Unread
from privguard.guard import Guard
from privguard.guard.shapes import text_segments
from privguard.testing import FakeNeed, FakeProfiles, ListSink

PHRASE = "สมชาย ใจดี"
Make = Callable[..., Guard]


def guard_with(make_guard: Make, unread: Unread, **given: Any) -> Guard:  # noqa: ANN401 - of a profile
    profile = Profile(id=f"p:{unread}", name="p", gamma=0.5, unread=unread, **given)
    # Everything that was found is needed.
    return make_guard(need=FakeNeed(b_redact=9.0, b_abstract=9.0), profiles=FakeProfiles(profile))


def sent(guard: Guard, text: str) -> str:
    with guard.begin(text_segments(text), target="m") as exchange:
        return exchange.outgoing[0].text


def test_what_no_model_reads_is_hidden_whatever_is_needed_and_comes_back(make_guard: Make) -> None:
    guard = guard_with(make_guard, Unread.HIDE)
    with guard.begin(text_segments(f"Ada Roth met {PHRASE} in Zurich"), target="m") as exchange:
        outgoing = exchange.outgoing[0].text
        assert re.fullmatch(r"Ada Roth met \[MISC_\w+\] in Zurich", outgoing)
        assert exchange.restore(f"So {outgoing}.") == f"So Ada Roth met {PHRASE} in Zurich."
        (hidden,) = [each for each in exchange.plan if each.span.kind is EntityType.MISC]
        assert (hidden.action, hidden.reason) == (Action.REDACT, Reason.POLICY)


def test_it_leaves_where_the_profile_sends_it_or_allows_the_phrase(make_guard: Make) -> None:
    text = f"met {PHRASE}"
    assert sent(guard_with(make_guard, Unread.SEND), text) == text
    assert sent(guard_with(make_guard, Unread.HIDE, allow=(PHRASE,)), text) == text
    assert sent(guard_with(make_guard, Unread.REFUSE, allow=(PHRASE,)), text) == text


def test_one_guard_keeps_the_profiles_apart(make_guard: Make) -> None:
    hide, send = (Profile(id=f"p:{each}", name="p", gamma=0.5, unread=each) for each in (Unread.HIDE, Unread.SEND))
    allow = Profile(id="p:allow", name="p", gamma=0.5, unread=Unread.HIDE, allow=(PHRASE,))
    guard, segments = make_guard(), text_segments(PHRASE)
    for _ in range(2):
        for profile, leaves in ((send, True), (hide, False), (allow, True)):
            with guard.begin(segments, target="m", profile=profile) as exchange:
                assert (exchange.outgoing[0].text == PHRASE) is leaves


def test_a_refusal_says_where_and_what_to_do_and_is_recorded(make_guard: Make, sink: ListSink) -> None:
    with pytest.raises(UnknownContentError, match=r"10 of 14 characters, the first at 4, .*nothing was sent") as caught:
        sent(guard_with(make_guard, Unread.REFUSE), f"met {PHRASE}")
    assert 'unread = "hide"' in str(caught.value)
    assert PHRASE not in str(caught.value)
    assert [(record.outcome, record.error) for record in sink.records] == [(Outcome.BLOCKED, "UnknownContentError")]
    assert sent(guard_with(make_guard, Unread.REFUSE), "met Ada Roth") == "met Ada Roth"


def test_a_header_that_cannot_be_read_counts_as_sensitive(make_guard: Make) -> None:
    assert guard_with(make_guard, Unread.HIDE).scan(PHRASE)
    assert guard_with(make_guard, Unread.REFUSE).scan(PHRASE)
    assert not guard_with(make_guard, Unread.SEND).scan(PHRASE)


def test_a_reply_in_such_a_script_is_no_value_of_the_models_own(make_guard: Make) -> None:
    guard = guard_with(make_guard, Unread.HIDE, on_reply=OnReply.REDACT)
    with guard.begin(text_segments("Hello"), target="m") as exchange:
        assert exchange.restore(f"Hello {PHRASE}") == f"Hello {PHRASE}"


PIECES = ["ก", "⠅", "ั", "ა", "አ", "፡", "Ꭺ", "Ada Roth", "Ada", "ada@roth.example", "7-AB-99201", "hunter2-hunter2"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    pieces=st.lists(st.sampled_from([*PIECES, " ", "\n", ",", "x", "7", "\\n", "\\u0e2a", "[", "https://a.example/"]))
)
def test_no_letter_of_such_a_script_leaves_and_all_come_back(make_guard: Make, pieces: list[str]) -> None:
    text = "".join(pieces)
    segments = text_segments(text)
    assume([segment.text for segment in segments] == [text])  # no document
    with guard_with(make_guard, Unread.HIDE, restore_secrets=True).begin(segments, target="m") as exchange:
        outgoing = exchange.outgoing[0].text
        assert not re.search("[ก⠅აአᎪ]", outgoing)
        assert exchange.restore(outgoing) == text
