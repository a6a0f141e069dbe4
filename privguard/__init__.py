"""Send the least that the target model needs, give the caller the full answer back, and prove both."""

from typing import TYPE_CHECKING

from privguard.core.lazy import lazy_exports

if TYPE_CHECKING:
    from privguard.api import load_guard, minimize, wrap
    from privguard.core.entities import EntityType
    from privguard.core.errors import (
        ArtifactError,
        AuditError,
        ConfigError,
        DetectionError,
        NoVaultError,
        PlanError,
        PrivguardError,
        ProtectionError,
        RestoreError,
        UnheldError,
        UnknownContentError,
        UnknownReferenceError,
        UnprotectedRouteError,
        UnrecordedError,
        VaultError,
    )
    from privguard.core.holding import Owner
    from privguard.core.plan import Action, Plan
    from privguard.core.profile import Profile
    from privguard.core.segments import Channel
    from privguard.guard import Exchange, Guard, conversation, use
    from privguard.sessions import Session, session
    from privguard.showing import LastExchange, Preview, last_exchange
    from privguard.transports import transport

__version__ = "0.1.0"

_HOMES = {
    "Action": "core.plan",
    "ArtifactError": "core.errors",
    "AuditError": "core.errors",
    "Channel": "core.segments",
    "ConfigError": "core.errors",
    "DetectionError": "core.errors",
    "EntityType": "core.entities",
    "Exchange": "guard",
    "Guard": "guard",
    "LastExchange": "showing",
    "Owner": "core.holding",
    "Plan": "core.plan",
    "PlanError": "core.errors",
    "NoVaultError": "core.errors",
    "Preview": "showing",
    "PrivguardError": "core.errors",
    "Profile": "core.profile",
    "ProtectionError": "core.errors",
    "RestoreError": "core.errors",
    "Session": "sessions",
    "UnheldError": "core.errors",
    "UnknownContentError": "core.errors",
    "UnknownReferenceError": "core.errors",
    "UnprotectedRouteError": "core.errors",
    "UnrecordedError": "core.errors",
    "VaultError": "core.errors",
    "conversation": "guard",
    "last_exchange": "showing",
    "load_guard": "api",
    "minimize": "api",
    "session": "sessions",
    "transport": "transports",
    "use": "guard",
    "wrap": "api",
}

__all__ = [
    "Action",
    "ArtifactError",
    "AuditError",
    "Channel",
    "ConfigError",
    "DetectionError",
    "EntityType",
    "Exchange",
    "Guard",
    "LastExchange",
    "NoVaultError",
    "Owner",
    "Plan",
    "PlanError",
    "Preview",
    "PrivguardError",
    "Profile",
    "ProtectionError",
    "RestoreError",
    "Session",
    "UnheldError",
    "UnknownContentError",
    "UnknownReferenceError",
    "UnprotectedRouteError",
    "UnrecordedError",
    "VaultError",
    "conversation",
    "last_exchange",
    "load_guard",
    "minimize",
    "session",
    "transport",
    "use",
    "wrap",
]

__getattr__ = lazy_exports(__name__, _HOMES)


def __dir__() -> list[str]:
    """List the public names."""
    return [*__all__, "__version__"]
