"""A process that is killed while it writes leaves a chain that holds, and nothing vanishes without a trace."""

from pathlib import Path

import pytest

from benchmarks.audit.kill import Diary, Round, judge, kill_often, read_diary
from benchmarks.audit.records import make_intent, make_record
from privguard.audit.background import BackgroundSink
from privguard.audit.sinks import open_store
from privguard.core.audit import AuditMode
from tests.fewer import one_in

ROUNDS = 3  # `python -m benchmarks.audit.kill --rounds 200` does more


@pytest.mark.parametrize("mode", AuditMode)
@pytest.mark.parametrize("suffix", one_in(2, ["sqlite", "jsonl"]))
def test_nothing_vanishes_without_a_trace(tmp_path: Path, mode: AuditMode, suffix: str) -> None:
    rounds = kill_often(tmp_path, mode, suffix, ROUNDS, seed=7)
    assert all(each.is_sound for each in rounds)
    if mode is AuditMode.REQUIRED:
        assert max(each.lost for each in rounds) <= 1


def test_a_round_is_judged_by_what_the_log_says_of_it(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    names = [make_record(number).request_id for number in range(4)]
    sink = BackgroundSink(open_store(path), AuditMode.REQUIRED)
    for number in range(3):
        sink.begin(make_intent(make_record(number)))
        if number < 2:
            sink.write(make_record(number))
    assert sink.flush(20)
    diary = Diary(sent=tuple(names[:3]), handed_over=tuple(names[:3]))
    good = judge(path, diary, AuditMode.REQUIRED, 0)
    assert good == Round(holds=True, sent=3, lost=1, lost_in_between=0, unseen=0, is_unclosed=True)
    assert good.is_sound
    hole = judge(path, Diary(sent=(), handed_over=(names[3], names[0])), AuditMode.REQUIRED, 0)
    assert (hole.lost_in_between, hole.is_sound) == (1, False)
    unseen = judge(path, Diary(sent=tuple(names), handed_over=()), AuditMode.REQUIRED, 0)
    assert (unseen.unseen, unseen.is_sound) == (1, False)
    assert not judge(path, diary, AuditMode.REQUIRED, 99).is_unclosed
    sink.close()


def test_a_diary_is_read_line_by_line(tmp_path: Path) -> None:
    assert read_diary(tmp_path / "none") == Diary(sent=(), handed_over=())
    (tmp_path / "diary").write_text("sent a\ndone a\nsent b\n", encoding="ascii")
    assert read_diary(tmp_path / "diary") == Diary(sent=("a", "b"), handed_over=("a",))
