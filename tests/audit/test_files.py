"""The files of the audit log fail in its own words."""

from pathlib import Path

import pytest

from privguard.audit.files import cannot, make_private
from privguard.core.errors import AuditError


def test_a_path_that_cannot_be_a_file_is_a_clear_error(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    with pytest.raises(AuditError, match="cannot open the audit log"):
        make_private(blocked / "audit.sqlite")
    with pytest.raises(AuditError, match="is a directory"):
        make_private(tmp_path)


def test_the_words_of_the_system_are_kept() -> None:
    error = cannot("write to", Path("audit.jsonl"), OSError(28, "No space left on device"))
    assert isinstance(error, AuditError)
    assert str(error) == "cannot write to the audit log audit.jsonl: No space left on device"
