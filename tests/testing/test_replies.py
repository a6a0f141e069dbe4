from hypothesis import given
from hypothesis import strategies as st

from privguard.testing.recorded import Recorded
from privguard.testing.replies import Reply, cut_at, cut_by
from privguard.testing.speakers import say

REQUEST = Recorded(method="POST", target="/", headers=(), body=b"", decoded=b"")


@given(st.text(), st.lists(st.integers(-5, 50)), st.integers(1, 9))
def test_cutting_loses_nothing_and_leaves_no_empty_piece(text: str, cuts: list[int], size: int) -> None:
    for pieces in (cut_at(text, tuple(cuts)), cut_by(text, size)):
        assert "".join(pieces) == text
        assert all(pieces)


def test_cuts_are_where_they_are_asked_for() -> None:
    assert cut_at("abcdef", (4, 1, 4, 9)) == ["a", "bcd", "ef"]
    assert cut_by("abcde", 2) == ["ab", "cd", "e"]


def test_speakers_take_turns_over_the_choices() -> None:
    reply = Reply(speak=(say("a"), say("b")))
    assert [reply.speaker(choice)(REQUEST).text for choice in range(3)] == ["a", "b", "a"]


def test_a_rate_limit_asks_to_come_again() -> None:
    assert (Reply.rate_limited(2).status, Reply.rate_limited(2).retry_after_s) == (429, 2)
