import sys

import pytest

import privguard.core
from privguard.core.lazy import lazy_exports


def test_a_module_is_imported_when_its_name_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "privguard.core.targets", raising=False)
    monkeypatch.delattr(privguard.core, "targets", raising=False)
    find = lazy_exports("privguard.core", {"TargetModel": "targets", "nothing": "targets"})
    assert "privguard.core.targets" not in sys.modules
    assert find("TargetModel") is sys.modules["privguard.core.targets"].TargetModel
    with pytest.raises(AttributeError):
        find("nothing")


def test_what_is_not_exported_is_told_with_its_package() -> None:
    find = lazy_exports("privguard.core", {})
    with pytest.raises(AttributeError, match=r"module 'privguard.core' has no attribute 'targets'"):
        find("targets")
