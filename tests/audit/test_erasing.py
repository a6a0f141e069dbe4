"""Which rows are erased, and what the log says of it."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from privguard.audit.chain import Hasher, Row
from privguard.audit.entries import Begun, Erased, EraseReason, Opened, decode_entry, encode_entry
from privguard.audit.erasing import Erasure, check_rows
from privguard.core.audit import AuditMode, Intent
from privguard.core.errors import AuditError
from tests.audit.chains import AT, Maker

HASHER = Hasher()


def row(body: bytes) -> Row:
    """Return a row with a body."""
    return HASHER.follow(HASHER.genesis("00"), body, "5a" * 16)


def record(at: str, name: str = "r1") -> Row:
    """Return the row of a record."""
    return row(b'{"artifact_ids":[],"at":"%s","request_id":"%s"}' % (at.encode(), name.encode()))


@pytest.mark.parametrize(
    ("at", "wanted"),
    [
        ("2031-04-05T06:07:07.999999+00:00", True),
        ("2031-04-05T06:07:08+00:00", False),
        ("2031-04-05T06:07:07Z", True),
        ("1999-01-01T00:00:00+00:00", True),
        ("2099-01-01T00:00:00+00:00", False),
        ("?", False),
    ],
    ids=range(6),
)
def test_records_before_a_time_are_chosen(at: str, wanted: bool) -> None:
    moment = datetime(2031, 4, 5, 8, 7, 8, tzinfo=timezone(timedelta(hours=2)))
    assert Erasure(before=moment).chooser()(record(at)) == wanted


def test_one_request_is_chosen_by_its_whole_id() -> None:
    chosen = Erasure(request="r1").chooser()
    begun = row(encode_entry(Begun(intent=Intent(request_id="r1", at=AT, route="by-hand", target="m"))))
    assert [chosen(each) for each in (record(AT), begun, record(AT, "r11"), record(AT, "r"))] == [
        True,
        True,
        False,
        False,
    ]


def test_what_the_log_says_of_itself_is_never_chosen() -> None:
    rows = [
        HASHER.genesis("00"),
        row(encode_entry(Opened(session="a", at=AT, mode=AuditMode.REQUIRED))),
        row(encode_entry(Erased(at=AT, reason=EraseReason.AGE, rows=((1, 1),)))),
        HASHER.erase(record(AT)),
    ]
    for erasure in (Erasure(before=datetime(2099, 1, 1, tzinfo=UTC)), Erasure(request="r1")):
        assert not any(map(erasure.chooser(), rows))


def test_the_entry_names_the_rows_and_the_reason_and_no_request() -> None:
    now = datetime(2031, 5, 1, tzinfo=UTC)
    aged = Erasure(before=datetime(2031, 4, 5, tzinfo=UTC)).entry([(1, 3), (5, 5)], now)
    assert decode_entry(aged) == Erased(
        at="2031-05-01T00:00:00+00:00", reason=EraseReason.AGE, before="2031-04-05T00:00:00", rows=((1, 3), (5, 5))
    )
    forgotten = Erasure(request="r1").entry([(1, 1)], now)
    assert b"r1" not in forgotten
    assert decode_entry(forgotten) == Erased(at="2031-05-01T00:00:00+00:00", reason=EraseReason.REQUEST, rows=((1, 1),))


@pytest.mark.parametrize("options", [{}, {"before": datetime(2031, 4, 5, tzinfo=UTC), "request": "r1"}], ids=range(2))
def test_an_erasure_names_a_time_or_a_request(options: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="a time or a request"):
        Erasure(**options)  # type: ignore[arg-type] # either is the mistake that is tested


def test_a_row_that_does_not_verify_is_not_erased() -> None:
    maker = Maker()
    maker.record("r1")
    maker.record("r2")
    wanted = Erasure(request="r1")
    assert [each.seq for each in check_rows(maker.rows, wanted, HASHER)] == [1]
    sound = maker.rows[1]
    maker.rows[1] = Row(seq=1, previous=sound.previous, hash=sound.hash, salt=sound.salt, body=sound.body + b" ")
    with pytest.raises(AuditError, match="do not verify"):
        list(check_rows(maker.rows, wanted, HASHER))
    assert list(check_rows(maker.rows, Erasure(request="r9"), HASHER)) == []
    with pytest.raises(AuditError, match="do not verify"):
        list(check_rows([None], wanted, HASHER))


def test_a_row_of_the_first_version_is_not_erased() -> None:
    maker = Maker()
    maker.record("r1", first_version=True)
    with pytest.raises(AuditError, match="earlier version"):
        list(check_rows(maker.rows, Erasure(request="r1"), HASHER))
