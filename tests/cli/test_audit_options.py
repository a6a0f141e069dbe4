"""The options that the commands of the audit log share."""

from pathlib import Path

import pytest
import typer

from privguard.cli.audit_options import key_of, place_of


def test_a_place_is_a_file(tmp_path: Path) -> None:
    assert place_of(str(tmp_path / "a.jsonl")) == tmp_path / "a.jsonl"
    for word in ("off", "memory:"):
        with pytest.raises(typer.Exit):
            place_of(word)


def test_a_key_that_was_named_must_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PRIVGUARD_AUDIT_KEY", raising=False)
    monkeypatch.delenv("OTHER", raising=False)
    assert key_of("PRIVGUARD_AUDIT_KEY") is None
    with pytest.raises(typer.Exit):
        key_of("OTHER")
    monkeypatch.setenv("OTHER", "é")
    assert key_of("OTHER") == "é".encode()
