import pickle
from pathlib import Path

import pytest

from privguard.cli.settings import KEY_VARIABLE, DetectorName, find_key, guard_maker
from privguard.core.errors import ConfigError
from privguard.minimizer.need_table import TableNeedModel

KEY = "a-key-of-the-tests-0123456789"


def test_a_named_variable_must_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    assert find_key(KEY_VARIABLE) is None
    with pytest.raises(ConfigError, match="MY_KEY"):
        find_key("MY_KEY")
    monkeypatch.setenv("MY_KEY", KEY)
    assert find_key("MY_KEY") == KEY


def test_all_guards_of_one_run_share_a_key_that_is_random_unless_given() -> None:
    def identity(maker: object) -> bytes:
        again = pickle.loads(pickle.dumps(maker))  # noqa: S301 - our own bytes: as a worker gets it
        mac: bytes = again().parts.key.mac("x")
        return mac

    first, second = guard_maker(None, None), guard_maker(None, None)
    assert identity(first) == identity(first) != identity(second)
    assert identity(guard_maker(None, KEY)) == identity(guard_maker(None, KEY))


def test_a_dry_run_needs_no_vault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIVGUARD_VAULT", "redis://127.0.0.1:1/0")
    assert guard_maker(None, None)().parts.vault is None


def test_a_dry_run_writes_no_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from privguard.api import minimize

    monkeypatch.setenv("PRIVGUARD_AUDIT", str(tmp_path / "audit.jsonl"))
    minimize("x", target="m", guard=guard_maker(None, None)()).close()
    assert not list(tmp_path.iterdir())


def test_the_detector_that_was_asked_for_is_used_and_survives_the_way_to_a_worker() -> None:
    make = pickle.loads(pickle.dumps(guard_maker(None, KEY, DetectorName.RULES)))  # noqa: S301 - our own bytes
    assert make().parts.detector.id == "rules-1+secrets-1"


def test_the_model_that_was_asked_for_is_used_and_survives_the_way_to_a_worker() -> None:
    make = pickle.loads(pickle.dumps(guard_maker(None, KEY, DetectorName.RULES, model="off")))  # noqa: S301 - our own bytes
    assert isinstance(make().parts.need, TableNeedModel)
    with pytest.raises(ConfigError, match="no model is called nothing"):
        guard_maker(None, KEY, model="nothing")()
    with pytest.raises(ConfigError, match="auto, cpu, cuda"):
        guard_maker(None, KEY, model="tiny", device="abacus")()
