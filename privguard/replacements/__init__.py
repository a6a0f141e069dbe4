"""What stands in the place of a value: keyed identities and abstraction ladders."""

from typing import TYPE_CHECKING

from privguard.core.lazy import lazy_exports

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

__getattr__ = lazy_exports(__name__, _HOMES)
