"""Errors as callers of the proxy get them: of its own class, so that it tells them in the shape of each API."""

import json
from importlib import import_module
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

    status, code, message = _told(error)
    made: Any = ProxyException
    raised: Exception = made(message=message, type=_kind(status), param=None, code=status, openai_code=code)
    return raised


def with_message(error: Exception, message: str) -> Exception | None:
    """Return an error of a provider with other words, as the proxy takes one from its hooks; None: it takes none."""
    from litellm._logging import redact_internal_details_from_client_message

    http_error: Any = import_module("fastapi").HTTPException  # not installed where types are checked
    status: object = getattr(error, "status_code", None)
    if not isinstance(status, int) or isinstance(error, http_error):
        return None
    made: Exception = http_error(
        status_code=status if 400 <= status < 600 else 500,
        detail=redact_internal_details_from_client_message(message),
    )
    for name in ("type", "param"):
        setattr(made, name, getattr(error, name, None))
    return made


def problem_body(error: Exception) -> tuple[int, bytes]:
    """Return the status of an error, and its body in the shape of the OpenAI API."""
    status, code, message = _told(error)
    told = {"message": message, "type": _kind(status), "param": None, "code": code}
    return status, json.dumps({"error": told}).encode()


def _kind(status: int) -> str:
    return "invalid_request_error" if status < 500 else "privguard_error"


def _told(error: Exception) -> tuple[int, str, str]:
    status, code = next(
        ((status, code) for kind, status, code in _KNOWN if isinstance(error, kind)), (500, "internal_error")
    )
    # What another error says may hold content, or the path of the log.
    message = str(error) if isinstance(error, _OWN_WORDS) else f"privguard failed ({type(error).__name__})"
    if isinstance(error, ProtectionError) and _NOTHING not in message:
        message = f"{message}; {_NOTHING}"
    return status, code, message
