"""A PostgreSQL server of the tests' own, on a socket in a temporary directory, where its programs are installed."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.sockets import SHORT

PASSWORD = "Canary@Passw0rd/é"
MARKS = ("Canary", "Passw0rd")

_NUMBERS = count()
_PATH = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/local/bin", "/usr/lib/postgresql/bin"))
# Nothing of a test outlives it: no need to wait for a disk.
_OPTIONS = "-c fsync=off -c full_page_writes=off -c synchronous_commit=off -c max_connections=40 -c shared_buffers=16MB"


class Server:
    """A running server.

    Args:
        folder: what it keeps.
        user: who runs it: it refuses to be run by root.
    """

    def __init__(self, folder: Path, user: str | None) -> None:
        self.folder, self._user = folder, user

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = f"{_OPTIONS} -c listen_addresses= -c unix_socket_directories={self.folder}"
        self._run("pg_ctl", "-D", str(self._data), "-l", str(self.folder / "log"), "-w", "-o", options, "start")

    def make(self) -> None:
        """Make an empty cluster."""
        password = self.folder / "password"
        password.write_text(PASSWORD, encoding="utf-8")
        password.chmod(0o644)
        access = ("-A", "scram-sha-256", "-U", "keeper", f"--pwfile={password}")
        self._run("initdb", "-D", str(self._data), *access, "-E", "UTF8", "--locale=C", "--no-sync")

    def stop(self, mode: str = "immediate") -> None:
        """Stop it, with all its connections."""
        self._run("pg_ctl", "-D", str(self._data), "-w", "-m", mode, "stop")

    def url(self, schema: str = "", *, user: str = "keeper", password: str = PASSWORD) -> str:
        """Return the URL of a schema."""
        path = f"&options=-csearch_path%3D{schema}" if schema else ""
        return f"postgresql://{user}:{quote(password, safe='')}@/postgres?host={quote(str(self.folder), safe='')}{path}"

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    def _run(self, program: str, *arguments: str) -> None:
        found = shutil.which(program, path=_PATH)
        assert found is not None
        # Not to a pipe: the server would keep it open.
        with (self.folder / "output").open("ab") as output:
            subprocess.run(
                [found, *arguments],
                check=True,
                stdout=output,
                stderr=output,
                user=self._user,
                cwd=self.folder,
                env={"PATH": _PATH, "LC_ALL": "C"},
            )


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """Start a server, or skip the test where there is none to start."""
    pytest.importorskip("psycopg")
    if os.name == "nt" or not all(shutil.which(program, path=_PATH) for program in ("postgres", "initdb", "pg_ctl")):
        pytest.skip("PostgreSQL is not installed")
    user = None
    if os.geteuid() == 0:
        import pwd

        user = next((entry.pw_name for entry in pwd.getpwall() if entry.pw_name in {"postgres", "nobody"}), None)
        if user is None:
            pytest.skip("PostgreSQL cannot be run by root")
    # Not in pytest's own directory, which is its user's alone.
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir=SHORT))
    try:
        if user is not None:
            shutil.chown(folder, user)
        server = Server(folder, user)
        server.make()
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def database(postgres: Server) -> str:
    """Return the URL of an empty schema."""
    schema = f"s{next(_NUMBERS)}"
    execute(postgres.url(), f"CREATE SCHEMA {schema}")
    return postgres.url(schema)


def execute(url: str, *statements: str) -> list[tuple[object, ...]]:
    """Run statements behind the sink's back, and return what the last one finds."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.cursor()
        for statement in statements:
            cursor.execute(statement.encode())
        return cursor.fetchall() if cursor.description else []
