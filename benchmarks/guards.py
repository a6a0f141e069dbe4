"""The guards that are measured. Light: what a guard costs to load is measured through this module."""

from privguard.api import load_guard
from privguard.guard import Guard

TARGET = "gpt-5"  # a frontier model
KEY = b"a key for benchmarks, no secret!"


def build_guard(model: str | None = None, *, device: str | None = None, threshold: float | None = None) -> Guard:
    """Build a guard with the shipped profiles and without an audit log, whatever the user's profile file says.

    Args:
        model: the name or the folder of a model, or "off"; None: the default.
        device: where it runs; None: the default.
        threshold: how sure the model must be of a span; None: what the shipped profile says.
    """
    profiles = {} if threshold is None else {"defaults": {"threshold": threshold}}
    return load_guard(profiles=profiles, audit="off", key=KEY, model=model, device=device)


def build_rules_guard() -> Guard:
    """Build the same with rules and secrets alone, and the table of need."""
    from privguard.detect import rules_detector
    from privguard.minimizer.need_table import TableNeedModel

    return load_guard(profiles={}, audit="off", key=KEY, detector=rules_detector(), need=TableNeedModel())
