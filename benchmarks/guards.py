"""The guards that are measured. Light: what a guard costs to load is measured through this module."""

import inspect
from collections.abc import Callable
from typing import Any

from privguard.api import load_guard
from privguard.core.errors import ConfigError
from privguard.guard import Guard

TARGET = "gpt-5"  # a frontier model
KEY = b"a key for benchmarks, no secret!"


def build_guard(model: str | None = None, *, device: str | None = None, rules_only: bool = False) -> Guard:
    """Build a guard with the shipped profiles and without an audit log, whatever the settings of the user.

    Args:
        model: the name or the folder of a model, or "off"; None: the default.
        device: where it runs; None: the default.
        rules_only: without any model, wherever it would run.

    Raises:
        ConfigError: this version has no such option.
    """
    options: dict[str, Any] = {}
    if rules_only:
        from privguard.detect import rules_detector
        from privguard.minimizer.need_table import TableNeedModel

        options |= {"detector": rules_detector(), "need": TableNeedModel()}
    if model is not None:
        options["model"] = model
    if device is not None and not rules_only:
        options["device"] = device
    if unknown := sorted(set(options) - set(inspect.signature(load_guard).parameters)):
        raise ConfigError(f"load_guard has no argument {', '.join(unknown)}")
    build: Callable[..., Guard] = load_guard
    return build(profiles={}, audit="off", key=KEY, **options)
