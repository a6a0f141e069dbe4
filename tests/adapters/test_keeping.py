import pytest

from privguard.core.errors import NoVaultError
from privguard_adapters.keeping import check_keeps, hold
from privguard_adapters.wire.later import Later
from privguard_adapters.wire.reply_names import ReplyNames
from tests.adapters.fake_guard import FakeGuard


@pytest.mark.parametrize(
    ("later", "kept"),
    [
        (Later(is_kept=True), ["hold r", "bind resp_1"]),
        (Later(is_kept=True, joined="conv_1"), ["join conv_1", "keep resp_1"]),
        (Later(joined="conv_1"), ["join conv_1"]),
        (Later(), []),
    ],
)
def test_what_is_kept_is_held_before_it_is_sent_and_bound_once(later: Later, kept: list[str]) -> None:
    guard = FakeGuard(keeps=True)
    exchange = guard.begin((), target="m")
    binder = hold(guard, exchange, later, ReplyNames())
    assert exchange.kept == kept[:1]
    assert binder.waits == later.is_kept
    for reference in ("", "Ada Roth", "resp_1", "resp_2"):
        binder(reference)
    assert exchange.kept == kept
    assert not binder.waits


def test_without_a_vault_nothing_is_held_and_what_needs_one_is_refused() -> None:
    guard = FakeGuard()
    exchange = guard.begin((), target="m")
    hold(guard, exchange, Later(is_kept=True), ReplyNames())("resp_1")
    assert exchange.kept == []
    check_keeps(guard, Later(is_kept=True))
    with pytest.raises(NoVaultError, match="a conversation needs a vault"):
        check_keeps(guard, Later(needs="a conversation"))
    check_keeps(FakeGuard(keeps=True), Later(needs="a conversation"))
