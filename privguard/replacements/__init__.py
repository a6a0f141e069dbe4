"""What stands in the place of a value: keyed identities and abstraction ladders."""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from privguard.replacements.identity import IdentityScope
    from privguard.replacements.key import Key
    from privguard.replacements.ladders import Forbidden, Ladders
    from privguard.replacements.normal import normal_form

_HOMES = {
    "Forbidden": "ladders",
    "IdentityScope": "identity",
    "Key": "key",
    "Ladders": "ladders",
    "normal_form": "normal",
}

__all__ = ["Forbidden", "IdentityScope", "Key", "Ladders", "normal_form"]


def __getattr__(name: str) -> object:
    """Import a public name at its first use, so that unused ladders cost nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'privguard.replacements' has no attribute {name!r}")
    return getattr(importlib.import_module(f"privguard.replacements.{_HOMES[name]}"), name)
