"""`privguard audit verify`, as a user sees it."""

from pathlib import Path

import pytest

from privguard.audit.background import BackgroundSink
from privguard.audit.erasing import Erasure
from privguard.audit.signing import write_key_pair
from privguard.audit.sinks import open_store
from privguard.core.audit import AuditMode, Intent
from tests.cli.audit_logs import KEY, RECORD, invoke, write_log


@pytest.fixture(params=["audit.sqlite", "audit.jsonl"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return write_log(tmp_path / str(request.param))


def test_verify_says_that_all_is_well_and_where_the_log_ends(log: Path) -> None:
    result = invoke("verify", "--path", str(log))
    assert result.exit_code == 0
    assert "4 records, no fault" in result.stdout
    assert "ends with row 4, hash " in result.stdout
    assert "without a key" in result.stdout


def test_verify_lists_every_fault_and_exits_with_1(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    sink = open_store(path)
    for _ in range(9):
        sink.write(RECORD)
    sink.close()
    lines = path.read_bytes().splitlines(keepends=True)
    lines[2] = lines[2].replace(b"REDACT", b"RETAIN")
    path.write_bytes(b"".join([*lines[:4], *lines[6:8], lines[1]]))
    result = invoke("verify", "--path", str(path))
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "row 1 stands there more than once",
        "row 2 was changed",
        "rows 4 to 5 are missing",
        "rows 8 to 9 are missing at the end",
    ]


def test_verify_speaks_of_the_head_of_unfinished_lines_and_of_foreign_rows(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    sink = open_store(path)
    sink.write(RECORD)
    sink.close()
    with path.open("ab") as file:
        file.write(b'{"seq":2')
    result = invoke("verify", "--path", str(path))
    assert result.exit_code == 0
    assert "an unfinished line stands before row 2" in result.stdout
    assert "1 record, no fault" in result.stdout
    foreign = path.read_bytes().splitlines()[1].replace(b'"seq":1', b'"seq":77')
    path.write_bytes(path.read_bytes().splitlines(keepends=True)[0] + foreign + b"\n" + path.read_bytes())
    path.with_name("audit.jsonl.head").write_bytes(b"?")
    result = invoke("verify", "--path", str(path))
    assert result.exit_code == 1
    assert "the head of the log is missing" in result.stdout
    assert "something that is no row" in result.stdout


def test_verify_needs_the_key_of_a_keyed_log(tmp_path: Path) -> None:
    path = tmp_path / "audit.sqlite"
    sink = open_store(path, KEY.encode())
    sink.write(RECORD)
    sink.close()
    assert invoke("verify", "--path", str(path)).exit_code == 2
    good = invoke("verify", "--path", str(path), env={"PRIVGUARD_AUDIT_KEY": KEY})
    assert good.exit_code == 0
    assert "without a key" not in good.stdout
    assert invoke("verify", "--path", str(path), "--key-env", "OTHER", env={"OTHER": KEY}).exit_code == 0
    wrong = invoke("verify", "--path", str(path), env={"PRIVGUARD_AUDIT_KEY": f"{KEY}!"})
    assert wrong.exit_code == 1
    assert "was the log written with this key?" in wrong.stdout
    for env in ({"PRIVGUARD_AUDIT_KEY": "short"}, {}):
        unset = invoke("verify", "--path", str(path), *(() if env else ("--key-env", "UNSET")), env=env)
        assert unset.exit_code == 2
        assert "short" not in unset.output


def test_verify_tells_what_the_log_lacks_and_finds_no_fault_in_that(tmp_path: Path) -> None:
    path = tmp_path / "audit.sqlite"
    sink = BackgroundSink(open_store(path), AuditMode.REQUIRED)
    sink.begin(Intent(request_id="r1", at=RECORD.at, route="by-hand", target="m"))
    result = invoke("verify", "--path", str(path))
    assert result.exit_code == 0
    assert result.stdout.splitlines()[:2] == [
        "the writer that begins in row 1 has not ended, with 0 requests open: it still writes, or was killed",
        "row 2 begins a request that has no record: it is still open, or its process was killed",
    ]
    sink.close()
    assert "row 2 begins a request" in invoke("verify", "--path", str(path)).stdout


def test_verify_names_what_was_erased_with_and_without_an_entry(log: Path) -> None:
    store = open_store(log)
    store.erase(Erasure(request="1a7be1d24c3f5f0c"))
    store.close()
    result = invoke("verify", "--path", str(log))
    assert result.exit_code == 0
    assert "3 records, no fault, 1 row erased" in result.stdout


def test_verify_proves_what_was_signed(log: Path, tmp_path: Path) -> None:
    public, key_id = write_key_pair(tmp_path / "key")
    other, _ = write_key_pair(tmp_path / "other")
    signed = {"PRIVGUARD_AUDIT_SIGNING_KEY": str(tmp_path / "key")}
    unsigned = invoke("verify", "--path", str(log), "--public-key", str(public))
    assert unsigned.exit_code == 1
    assert "no checkpoint that holds is signed with the key that was given" in unsigned.stdout
    kept = tmp_path / "kept"
    kept.write_text(invoke("checkpoint", "--path", str(log), env=signed).stdout, encoding="ascii")
    result = invoke("verify", "--path", str(log), "--public-key", str(public), "--checkpoint", str(kept))
    assert result.exit_code == 0
    assert "signed up to row 4 at 20" in result.stdout
    assert f"with key {key_id}\n" in result.stdout
    assert "without a key" not in result.stdout
    store = open_store(log)
    store.write(RECORD)
    store.close()
    behind = invoke("verify", "--path", str(log), "--public-key", str(public))
    assert "; 1 row behind it can be written anew unnoticed" in behind.stdout
    assert invoke("verify", "--path", str(log), "--public-key", str(other)).exit_code == 1
    both = invoke("verify", "--path", str(log), "--public-key", str(other), "--public-key", str(public))
    assert both.exit_code == 0


def test_verify_finds_an_older_copy_by_a_checkpoint_that_was_kept(log: Path, tmp_path: Path) -> None:
    public, _ = write_key_pair(tmp_path / "key")
    signed = {"PRIVGUARD_AUDIT_SIGNING_KEY": str(tmp_path / "key")}
    invoke("checkpoint", "--path", str(log), env=signed)
    older = {file.name: file.read_bytes() for file in tmp_path.glob("audit.*")}
    store = open_store(log)
    store.write(RECORD)
    store.close()
    kept = tmp_path / "kept"
    kept.write_text(invoke("checkpoint", "--path", str(log), env=signed).stdout, encoding="ascii")
    for file in tmp_path.glob("audit.*"):
        file.unlink()
    for name, content in older.items():
        (tmp_path / name).write_bytes(content)
    assert invoke("verify", "--path", str(log), "--public-key", str(public)).exit_code == 0
    result = invoke("verify", "--path", str(log), "--public-key", str(public), "--checkpoint", str(kept))
    assert (result.exit_code, result.stdout) == (1, "row 5 is missing at the end\n")


def test_a_checkpoint_or_a_key_that_proves_nothing_is_exit_code_2(log: Path, tmp_path: Path) -> None:
    public, _ = write_key_pair(tmp_path / "key")
    other, _ = write_key_pair(tmp_path / "other")
    kept = tmp_path / "kept"
    signed = {"PRIVGUARD_AUDIT_SIGNING_KEY": str(tmp_path / "key")}
    kept.write_text(invoke("checkpoint", "--path", str(log), env=signed).stdout, encoding="ascii")
    for arguments, word in (
        (("--checkpoint", str(kept)), "--public-key"),
        (("--checkpoint", str(public), "--public-key", str(public)), "no checkpoint in"),
        (("--checkpoint", str(tmp_path), "--public-key", str(public)), "no checkpoint in"),
        (("--checkpoint", str(kept), "--public-key", str(other)), "not signed"),
        (("--public-key", str(kept)), "no Ed25519 public key"),
        (("--public-key", str(tmp_path / "none")), "cannot read"),
    ):
        result = invoke("verify", "--path", str(log), *arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert word in result.stderr
        assert len(result.stderr.splitlines()) == 1
