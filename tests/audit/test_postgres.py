"""The PostgreSQL sink: one chain, whoever writes, whatever happens to the connection."""

import gc
import os
import subprocess
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, TypeAlias

import pytest

from privguard.audit.checkpoints import Notary
from privguard.audit.codec import decode, encode
from privguard.audit.erasing import Erasure
from privguard.audit.faults import Fault, FaultKind
from privguard.audit.postgres import PostgresSink
from privguard.audit.read import open_log, read_rows, verify_file
from privguard.core.audit import AuditRecord
from privguard.core.errors import AuditError, ConfigError
from tests.audit.chains import FakeSigner, request_ids
from tests.postgres import MARKS, Server, execute

KEY = b"an invented audit key"
Make = Callable[..., AuditRecord]
Anything: TypeAlias = Any  # of the client library


def kill_connections(url: str) -> None:
    """End all other connections of the tests' schema."""
    execute(
        url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE application_name = 'privguard' AND pid <> pg_backend_pid()",
    )


@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "keyed"])
def test_records_come_back_in_order_over_several_openings(database: str, make_record: Make, key: bytes | None) -> None:
    for start in (0, 3):
        sink = PostgresSink(database, key=key)
        for number in range(start, start + 3):
            sink.write(make_record(number))
        sink.close()
        sink.close()
    rows = [row for row in read_rows(database) if row is not None]
    assert [decode(row.body) for row in rows[1:]] == [make_record(number) for number in range(6)]
    assert verify_file(database, key).ok
    with pytest.raises(AuditError, match="closed"):
        sink.write(make_record(7))


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM privguard_audit_rows WHERE seq = 3",
        "DELETE FROM privguard_audit_head",
        "DELETE FROM privguard_audit_rows",
        "UPDATE privguard_audit_head SET seq = 2",
        "UPDATE privguard_audit_head SET seq = NULL",
        "UPDATE privguard_audit_rows SET line = 'x' WHERE seq = 3",
    ],
    ids=["cut", "headless", "empty", "moved-head", "no-number", "unreadable"],
)
def test_a_chain_that_does_not_end_at_its_head_is_not_written_over(
    database: str, make_record: Make, damage: str
) -> None:
    sink = PostgresSink(database)
    for number in range(3):
        sink.write(make_record(number))
    sink.close()
    execute(database, damage)
    with pytest.raises(AuditError, match="privguard audit verify"):
        PostgresSink(database)
    assert not verify_file(database).ok


def test_tables_that_it_does_not_know_are_refused(database: str, record: AuditRecord) -> None:
    with pytest.raises(AuditError, match="no tables"), open_log(database):
        pass
    PostgresSink(database).close()
    execute(database, "UPDATE privguard_audit_head SET version = 99")
    with pytest.raises(AuditError, match="schema version"):
        PostgresSink(database)
    with pytest.raises(AuditError, match="schema version"), open_log(database):
        pass
    execute(database, "ALTER TABLE privguard_audit_head DROP version")
    with pytest.raises(AuditError, match="UndefinedColumn"):
        PostgresSink(database)
    with pytest.raises(AuditError, match="UndefinedColumn"), open_log(database):
        pass


@pytest.mark.parametrize(
    ("damage", "faults"),
    [
        ("UPDATE privguard_audit_rows SET line = replace(line, 'REDACT', 'RETAIN') WHERE seq = 3", ["changed 3"]),
        ("UPDATE privguard_audit_rows SET line = 'x' WHERE seq = 3", ["changed 3"]),
        ("DELETE FROM privguard_audit_rows WHERE seq = 3", ["removed 3"]),
        ("DELETE FROM privguard_audit_rows WHERE seq >= 6", ["truncated 6"]),
        ("DELETE FROM privguard_audit_head", ["head missing 6"]),
        ("UPDATE privguard_audit_head SET seq = 5", ["head changed 5"]),
        ("INSERT INTO privguard_audit_rows SELECT 7, line FROM privguard_audit_rows WHERE seq = 2", ["duplicated 2"]),
        ("ALTER TABLE privguard_audit_rows ALTER line TYPE bytea USING ''::bytea", ["changed 0"]),
    ],
    ids=["changed", "unreadable", "removed", "truncated", "headless", "head", "duplicated", "retyped"],
)
def test_verify_names_what_was_done_to_the_database(
    database: str, make_record: Make, damage: str, faults: list[str]
) -> None:
    sink = PostgresSink(database)
    for number in range(6):
        sink.write(make_record(number))
    sink.close()
    execute(database, damage)
    assert [f"{fault.kind} {fault.first}" for fault in verify_file(database).faults] == faults


def test_threads_share_one_chain(database: str, make_record: Make) -> None:
    sinks = [PostgresSink(database), PostgresSink(database)]

    def work(start: int) -> None:
        for number in range(start, start + 10):
            sinks[number % 2].write(make_record(number))

    threads = [threading.Thread(target=work, args=(100 * index,)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for sink in sinks:
        sink.close()
    assert verify_file(database).ok
    assert sorted(request_ids(database)) == [
        f"r{100 * index + number:04d}" for index in range(4) for number in range(10)
    ]


def test_processes_share_one_chain_from_its_genesis_on(
    database: str, start_writer: Callable[..., subprocess.Popen[bytes]]
) -> None:
    writers = [start_writer(database, 15, name) for name in ("a", "b", "c")]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    assert verify_file(database).ok
    assert sorted(request_ids(database)) == sorted(f"{name}-{number}" for name in "abc" for number in range(15))


def test_after_a_kill_the_chain_holds_and_no_acknowledged_record_is_missing(
    database: str, start_writer: Callable[..., subprocess.Popen[bytes]]
) -> None:
    writer = start_writer(database)
    assert writer.stdout is not None
    acknowledged = 0
    while acknowledged < 7:
        acknowledged = int(writer.stdout.readline())
    writer.kill()
    writer.wait()
    acknowledged = max([acknowledged, *map(int, writer.stdout.read().splitlines()[:-1])])
    PostgresSink(database).close()
    assert verify_file(database).ok
    assert len(request_ids(database)) >= acknowledged


def test_a_lost_connection_is_replaced_without_a_word(database: str, make_record: Make) -> None:
    sink = PostgresSink(database)
    for number in range(3):
        sink.write(make_record(number))
        kill_connections(database)
    sink.close()
    assert request_ids(database) == ["r0000", "r0001", "r0002"]
    assert verify_file(database).ok


class Losing:
    """A connection that is lost at the end of a transaction, before the server hears of it or behind."""

    def __init__(self, connection: Anything, *, commits: bool) -> None:
        self._connection, self._commits = connection, commits

    def __getattr__(self, name: str) -> Anything:
        return getattr(self._connection, name)

    def execute(self, query: Anything, *values: Anything) -> Anything:
        import psycopg

        if query != "COMMIT":
            return self._connection.execute(query, *values)
        if self._commits:
            self._connection.execute(query)
        self._connection.close()
        raise psycopg.OperationalError("Canary: the answer is lost")


@pytest.mark.parametrize("commits", [False, True], ids=["not-kept", "kept"])
@pytest.mark.parametrize("losses", [1, 2, 3])
def test_a_commit_whose_answer_is_lost_leaves_each_record_once(
    database: str, make_record: Make, monkeypatch: pytest.MonkeyPatch, commits: bool, losses: int
) -> None:
    sink = PostgresSink(database)
    left = losses
    bodies = [encode(make_record(number)) for number in range(4)]
    sink._link._connection = Losing(sink._link._connection, commits=commits)  # type: ignore[assignment]

    def prepare(connection: Anything) -> None:
        nonlocal left
        left -= 1
        sink._link._connection = Losing(connection, commits=commits) if left else connection  # type: ignore[assignment]

    monkeypatch.setattr(sink._link, "_prepare", prepare)
    # Two attempts for each call, and one of them is lost at each loss.
    for _ in range(losses // 2):
        with pytest.raises(AuditError, match="lost while it was written") as caught:
            sink.append(bodies)
        assert caught.value.__context__ is None
    sink.append(bodies)
    monkeypatch.undo()
    sink.write(make_record(9))
    sink.close()
    assert request_ids(database) == ["r0000", "r0001", "r0002", "r0003", "r0009"]
    assert verify_file(database).ok


def test_a_failing_write_leaves_the_chain_whole(database: str, make_record: Make) -> None:
    sink = PostgresSink(database)
    sink.write(make_record(1))
    execute(database, "ALTER TABLE privguard_audit_head ADD CONSTRAINT ada CHECK (seq < 2) NOT VALID")
    with pytest.raises(AuditError, match=r"cannot write .* CheckViolation \(23514\)"):
        sink.write(make_record(2))
    execute(database, "ALTER TABLE privguard_audit_head DROP CONSTRAINT ada")
    sink.write(make_record(3))
    sink.close()
    assert request_ids(database) == ["r0001", "r0003"]
    assert verify_file(database).ok


def test_bodies_are_appended_all_or_none(database: str, make_record: Make) -> None:
    sink = PostgresSink(database)
    sink.append([encode(make_record(number)) for number in range(150)])
    sink.append([])
    broken = [encode(make_record(150)), None]
    with pytest.raises(TypeError):
        sink.append(broken)  # type: ignore[arg-type]
    sink.close()
    assert request_ids(database) == [f"r{number:04d}" for number in range(150)]


def test_checkpoints_are_signed_every_so_many_rows_and_at_the_end(database: str, make_record: Make) -> None:
    signer = FakeSigner()
    for start in (0, 7):
        sink = PostgresSink(database, notary=Notary(signer, every=3))
        for number in range(start, start + 7):
            sink.write(make_record(number))
        assert sink.sign() == sink.sign()
        sink.close()
    with open_log(database) as log:
        assert [each.seq for each in log.checkpoints] == [3, 6, 7, 10, 13, 14]
    verdict = verify_file(database, public_keys=[signer])
    assert (verdict.ok, verdict.signed and verdict.signed.seq) == (True, 14)


@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "keyed"])
def test_nothing_of_what_was_erased_is_left_in_the_table(
    postgres: Server, database: str, make_record: Make, key: bytes | None
) -> None:
    sink = PostgresSink(database, key=key, notary=Notary(FakeSigner(), every=5))
    names = [f"canary{number:03d}" for number in range(60)]
    for name in names:
        sink.write(replace(make_record(), request_id=name))
    gone = [names[0], names[17], names[58]]
    for name in gone:
        assert sink.erase(Erasure(request=name)) == 1
        assert sink.erase(Erasure(request=name)) == 0
    sink.write(make_record(1))
    execute(database, "CHECKPOINT")
    ((file,),) = execute(database, "SELECT pg_relation_filepath('privguard_audit_rows')")
    held = (postgres.folder / "data" / str(file)).read_bytes()
    sink.close()
    assert [name for name in names if name.encode() not in held] == gone
    verdict = verify_file(database, key, public_keys=[FakeSigner()])
    assert (verdict.faults, verdict.notes, verdict.records, verdict.erased) == ((), (), 58, 3)


def test_all_before_a_time_is_erased_and_the_log_goes_on(database: str, make_record: Make) -> None:
    sink, other = PostgresSink(database), PostgresSink(database)
    for number in range(12):
        sink.write(make_record(number))
    moment = datetime(2031, 4, 5, 6, 7, 7, tzinfo=UTC)
    assert sink.erase(Erasure(before=moment), datetime(2031, 5, 1, tzinfo=UTC)) == 7
    other.write(make_record(50))
    for each in (sink, other):
        each.close()
    verdict = verify_file(database)
    assert (verdict.faults, verdict.notes, verdict.erased, verdict.records) == ((), (), 7, 6)


def test_a_log_that_does_not_verify_is_not_erased(database: str, make_record: Make) -> None:
    sink = PostgresSink(database)
    for number in range(3):
        sink.write(make_record(number))
    execute(database, "UPDATE privguard_audit_rows SET line = replace(line, 'REDACT', 'RETAIN') WHERE seq = 2")
    with pytest.raises(AuditError, match="do not verify"):
        sink.erase(Erasure(before=datetime(2099, 1, 1, tzinfo=UTC)))
    sink.close()
    assert verify_file(database).faults == (Fault(kind=FaultKind.CHANGED, first=2, last=2),)


def test_a_reader_of_an_older_state_lets_the_purge_be_run_again(database: str, make_record: Make) -> None:
    import psycopg

    sink = PostgresSink(database)
    sink.write(make_record(1))
    with psycopg.connect(database) as reader:
        reader.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        reader.execute("SELECT 1")
        with pytest.raises(AuditError, match="run the command again"):
            sink.erase(Erasure(request="r0001"))
    assert sink.erase(Erasure(request="r0001")) == 0
    sink.close()


def test_a_writer_needs_no_right_to_change_or_remove_what_it_wrote(
    postgres: Server, database: str, make_record: Make
) -> None:
    PostgresSink(database).close()
    schema = database.rpartition("%3D")[2]
    execute(
        database,
        f"CREATE ROLE w{schema} LOGIN PASSWORD 'x'",
        f"GRANT USAGE ON SCHEMA {schema} TO w{schema}",
        f"GRANT SELECT, INSERT ON privguard_audit_rows, privguard_audit_checkpoints TO w{schema}",
        f"GRANT SELECT, UPDATE ON privguard_audit_head TO w{schema}",
    )
    url = postgres.url(schema, user=f"w{schema}", password="x")
    sink = PostgresSink(url, notary=Notary(FakeSigner(), every=2))
    for number in range(5):
        sink.write(make_record(number))
    with pytest.raises(AuditError, match="InsufficientPrivilege"):
        sink.erase(Erasure(request="r0001"))
    sink.close()
    assert verify_file(url, public_keys=[FakeSigner()]).ok
    execute(database, f"GRANT UPDATE ON privguard_audit_rows TO w{schema}")
    sink = PostgresSink(url)
    with pytest.raises(AuditError, match="belongs to somebody else"):
        sink.erase(Erasure(request="r0001"))
    sink.close()
    owner = PostgresSink(database)
    assert owner.erase(Erasure(request="r0001")) == 0
    owner.close()


def test_a_dropped_sink_leaves_no_connection(database: str, record: AuditRecord) -> None:
    schema = database.rpartition("%3D")[2]
    sink = PostgresSink(f"{database}&application_name={schema}")
    sink.write(record)
    count = f"SELECT count(*) FROM pg_stat_activity WHERE application_name = '{schema}'"  # noqa: S608 - our own name
    assert execute(database, count) == [(1,)]
    gc.disable()
    try:
        assert sink._link._connection is not None
        number = sink._link._connection.fileno()
        os.fstat(number)
        del sink
        with pytest.raises(OSError, match="descriptor"):
            os.fstat(number)
    finally:
        gc.enable()


def test_no_password_is_in_an_error_or_a_name(postgres: Server, database: str, record: AuditRecord) -> None:
    sink = PostgresSink(database)
    said = [repr(sink), repr(sink._link), repr(sink._chain)]
    execute(database, "DROP TABLE privguard_audit_rows CASCADE")
    wrong = postgres.url(password="Canary-Passw0rd")
    nowhere = database.replace(str(postgres.folder).replace("/", "%2F"), "%2Fnowhere")
    unread = database.replace("@", "@@").replace("%40", "@").replace("%2F", "/")
    attempts: list[Callable[[], object]] = [
        lambda: sink.write(record),
        *(lambda url=url: PostgresSink(url) for url in (wrong, nowhere, unread)),
        *(lambda url=url: list(read_rows(url)) for url in (wrong, nowhere, unread, database)),
    ]
    for attempt in attempts:
        with pytest.raises((AuditError, ConfigError)) as caught:
            attempt()
        said.append(f"{caught.value!r} {caught.value.__context__!r} {caught.value.__cause__!r}")
        assert caught.value.__context__ is None
    sink._link.close()
    assert len(said) == 11
    assert [mark for mark in MARKS if mark in "\n".join(said)] == []


def test_no_content_reaches_the_database(
    postgres: Server, database: str, hostile_record: AuditRecord, find_marks: Callable[[bytes | str], list[str]]
) -> None:
    sink = PostgresSink(database)
    sink.write(hostile_record)
    sink.close()
    execute(database, "CHECKPOINT")
    ((file,),) = execute(database, "SELECT pg_relation_filepath('privguard_audit_rows')")
    written = [(postgres.folder / "data" / str(file)).read_bytes(), (postgres.folder / "log").read_bytes()]
    assert b'"outcome":"failed"' in written[0]
    assert [find_marks(data) for data in written] == [[], []]
