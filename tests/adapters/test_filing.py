import pytest

from privguard.core.errors import RestoreError, UnknownReferenceError
from privguard_adapters.filing import Results
from tests.adapters.fake_guard import FakeExchange, FakeGuard


def results(*custom_ids: str) -> tuple[Results, FakeGuard]:
    guard = FakeGuard()

    def reopen(custom_id: str) -> FakeExchange:
        if custom_id == "gone":
            raise UnknownReferenceError("nothing is there")
        return guard.reopen(custom_id)

    return Results(reopen, frozenset(custom_ids)), guard


def test_empty_lines_pass() -> None:
    found, _ = results("a")
    assert found.feed(b"\n \r\n") + found.end() == b"\n \r\n"
    assert found.complete


def test_a_line_of_nobody_is_an_error_with_its_number() -> None:
    found, guard = results("a")
    with pytest.raises(RestoreError, match="line 2 of the file") as caught:
        found.feed(b'\n{"custom_id": "b"}\n')
    assert caught.value.__context__ is None
    assert guard.exchanges == []


def test_what_the_vault_does_not_hold_any_more_is_an_error_with_its_number() -> None:
    found, _ = results("gone")
    assert found.feed(b'{"custom_id": "gone"}') == b""
    with pytest.raises(UnknownReferenceError, match="line 1 of the file"):
        found.end()


def test_what_another_version_has_kept_is_not_guessed_at() -> None:
    found, guard = results("a")
    with pytest.raises(RestoreError, match="another version"):
        found.feed(b'{"custom_id": "a"}\n')
    assert [outcome.value for outcome in guard.outcomes if outcome] == ["failed"]
