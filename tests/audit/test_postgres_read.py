"""A log in PostgreSQL is read page by page, as it stood when it was opened, and never changed."""

from collections.abc import Callable
from pathlib import Path

import pytest

from privguard.audit.chain import Row
from privguard.audit.codec import encode
from privguard.audit.export import write_export
from privguard.audit.postgres import PostgresSink
from privguard.audit.postgres_read import open_postgres
from privguard.audit.read import verify_file
from privguard.core.audit import AuditRecord
from privguard.core.errors import AuditError
from tests.postgres import execute

Make = Callable[..., AuditRecord]


def test_what_is_written_meanwhile_is_not_read(database: str, make_record: Make, tmp_path: Path) -> None:
    sink = PostgresSink(database)
    sink.append([encode(make_record(number)) for number in range(1200)])
    with open_postgres(database) as log:
        sink.write(make_record(1200))
        assert log.head is not None
        assert log.head.seq == 1200
        with (tmp_path / "export.jsonl").open("wb") as out:
            assert write_export(log, out) == 1201
    sink.close()
    assert verify_file(tmp_path / "export.jsonl").ok
    assert verify_file(database).records == 1201


def test_a_database_that_fails_while_it_is_read_is_an_error_without_its_words(database: str, make_record: Make) -> None:
    sink = PostgresSink(database)
    sink.append([encode(make_record(number)) for number in range(1200)])
    sink.close()
    with open_postgres(f"{database}&application_name=broken") as log:
        assert isinstance(next(log.rows), Row)
        execute(database, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'broken'")
        with pytest.raises(AuditError, match=r"cannot read .*AdminShutdown") as caught:
            list(log.rows)
    assert caught.value.__context__ is None


def test_a_stored_line_that_is_no_text_is_no_row(database: str, make_record: Make) -> None:
    sink = PostgresSink(database)
    sink.write(make_record(1))
    sink.close()
    execute(database, "UPDATE privguard_audit_rows SET line = 'Röth' WHERE seq = 1")
    with open_postgres(database) as log:
        rows = list(log.rows)
    assert rows[1] == Row(seq=1, previous="", hash="")
