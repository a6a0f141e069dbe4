"""The tables in PostgreSQL give back what was put into them, and None for what is no row."""

from datetime import UTC, datetime

from privguard.audit.chain import Hasher
from privguard.audit.checkpoints import Notary
from privguard.audit.postgres_link import Address
from privguard.audit.postgres_tables import PostgresTables, are_there, check_version, make_tables, read_head
from tests.audit.chains import CHAIN_ID, FakeSigner
from tests.postgres import execute


def test_what_was_put_in_comes_out(database: str) -> None:
    hasher = Hasher()
    genesis = hasher.genesis(CHAIN_ID)
    row = hasher.follow(genesis, b"{}", "5a" * 16)
    first, second = hasher.head(genesis), hasher.head(row)
    notary = Notary(FakeSigner(), now=lambda: datetime(2031, 4, 5, tzinfo=UTC))
    with Address(database).connect() as connection:
        tables = PostgresTables(connection)
        assert not are_there(connection)
        make_tables(connection)
        assert are_there(connection)
        assert (tables.head(), tables.row(0), tables.last_row(), tables.last_checkpoint()) == (None,) * 4
        check_version(connection, "it")
        tables.insert((genesis, row))
        tables.move_head(first)
        tables.move_head(second)
        assert tables.head() == read_head(connection) == second
        assert (tables.row(0), tables.last_row(), list(tables.rows(range(1, 9)))) == (genesis, row, [row])
        tables.replace([hasher.erase(row)])
        assert tables.row(1) == hasher.erase(row)
        signed = notary.sign(second, CHAIN_ID)
        tables.add_checkpoint(signed)
        tables.add_checkpoint(notary.sign(hasher.head(row), "d1" * 16))
        assert tables.last_checkpoint() == signed
        execute(database, "UPDATE privguard_audit_rows SET line = 'x'", "UPDATE privguard_audit_head SET seq = NULL")
        assert (tables.row(1), tables.head()) == (None, None)
