"""Errors as callers of the proxy get them: of its own class, so that it tells them in the shape of each API."""

from typing import Any

from privguard.core.errors import (
    AuditError,
    ConfigError,
    PrivguardError,
    ProtectionError,
    RestoreError,
    UnknownContentError,
    UnprotectedRouteError,
    UnrecordedError,
)

_NOTHING = "nothing was sent"
_KNOWN: tuple[tuple[type[PrivguardError], int, str], ...] = (
    (UnprotectedRouteError, 404, "unprotected_route"),
    (UnknownContentError, 400, "unprotected_content"),
    (UnrecordedError, 503, "unrecorded"),
    (ProtectionError, 500, "not_protected"),
    (RestoreError, 502, "restore_failed"),
    (AuditError, 500, "audit_failed"),
    (ConfigError, 400, "bad_profile"),
)
_OWN_WORDS = (ProtectionError, RestoreError, ConfigError)


def refusal(error: Exception) -> Exception:
    """Return what the proxy raises for an error of ours, or for one that nobody expected."""
    from litellm.proxy._types import ProxyException

    status, code = next(
        ((status, code) for kind, status, code in _KNOWN if isinstance(error, kind)), (500, "internal_error")
    )
    # What another error says may hold content, or the path of the log.
    message = str(error) if isinstance(error, _OWN_WORDS) else f"privguard failed ({type(error).__name__})"
    if isinstance(error, ProtectionError) and _NOTHING not in message:
        message = f"{message}; {_NOTHING}"
    made: Any = ProxyException
    kind = "invalid_request_error" if status < 500 else "privguard_error"
    raised: Exception = made(message=message, type=kind, param=None, code=status, openai_code=code)
    return raised
