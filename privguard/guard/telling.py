"""Which target a record may name: whoever calls chooses that name, and a secret may stand in its place."""

from collections.abc import Callable

from privguard.core.targets import UNTOLD, without_release


def told(target: str, *looks: Callable[[str], bool]) -> str:
    """Return a target as the record may name it: `?` where any look finds something sensitive in it, or fails."""
    name = without_release(target)
    if not name:
        return target
    try:
        return UNTOLD if any(look(name) for look in looks) else target
    except Exception:  # noqa: BLE001 - a detector may raise anything, and what nobody has looked at is not told
        return UNTOLD
