"""Errors as callers get them: in the shape of the OpenAI API, without content."""

import json
from dataclasses import dataclass

import httpx2

from privguard.core.errors import (
    AuditError,
    ConfigError,
    NoVaultError,
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
from privguard_adapters.wire.headers import Headers

_NOTHING = "nothing was sent"
# What the caller can put right. Any other error of ours is the gateway's.
_CALLERS_OWN: tuple[tuple[type[PrivguardError], int, str], ...] = (
    (UnprotectedRouteError, 404, "unprotected_route"),
    (UnknownContentError, 400, "unprotected_content"),
    (ConfigError, 400, "bad_profile"),
)
# Whoever calls a gateway has wrapped nothing.
_WORDS = (("with the client that was wrapped", "at the model server itself"),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One error as it is told."""

    status: int
    code: str
    message: str
    kind: str = "privguard_error"
    may_retry: bool = False  # whether the same request may succeed a moment later

    def body(self) -> bytes:
        """Write it in the shape of the API."""
        error = {"message": self.message, "type": self.kind, "param": None, "code": self.code}
        return json.dumps({"error": error}, ensure_ascii=False).encode()

    def event(self) -> bytes:
        """Write it as an event of a stream."""
        return b"data: " + self.body() + b"\n\n"

    def headers(self) -> Headers:
        """Return the headers of the body. The last one is what the SDKs of OpenAI read before they retry."""
        return (
            (b"content-type", b"application/json"),
            (b"content-length", str(len(self.body())).encode()),
            (b"x-should-retry", b"true" if self.may_retry else b"false"),
        )


# What is told of errors whose message is for whoever runs the gateway: the path of the log is nothing for callers. The
# first that fits counts.
_OPERATORS: tuple[tuple[type[PrivguardError], Problem], ...] = (
    (AuditError, Problem(status=500, code="audit_failed", message="the audit record could not be written")),
    (
        UnrecordedError,
        Problem(
            status=503,
            code="unrecorded",
            message=f"the audit is required and cannot be written; {_NOTHING}",
            may_retry=True,
        ),
    ),
    (
        UnknownReferenceError,
        Problem(
            status=404,
            code="unknown_reference",
            kind="invalid_request_error",
            message="nothing is kept here of what this is asked about",
        ),
    ),
    (
        NoVaultError,
        Problem(
            status=400,
            code="no_vault",
            kind="invalid_request_error",
            message=(
                "what is asked for needs a vault, which keeps the values of other requests, and this gateway has none: "
                f"PRIVGUARD_VAULT and PRIVGUARD_VAULT_KEY name one where `privguard serve` is started; {_NOTHING}"
            ),
        ),
    ),
    (
        UnheldError,
        Problem(status=503, code="vault_failed", message=f"the vault could not be used; {_NOTHING}", may_retry=True),
    ),
    (VaultError, Problem(status=503, code="vault_failed", message="the vault could not be used")),
)


class Refused(Exception):  # noqa: N818 - what it carries is the error
    """A request that the server itself answers with a problem."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.code)
        self.problem = problem


def unprotected(route: str) -> Problem:
    """Say that a route is not one of those that are protected."""
    return Problem(
        status=404,
        code="unprotected_route",
        kind="invalid_request_error",
        message=(
            f"{route} is not protected by privguard, so {_NOTHING}. Protected are chat.completions, completions, "
            "responses, conversations, embeddings, moderations, batches, files, models, messages, "
            "messages.count_tokens and messages.batches, under /v1"
        ),
    )


def too_large(limit: int) -> Problem:
    """Say that a body has too many bytes."""
    return Problem(
        status=413,
        code="request_too_large",
        kind="invalid_request_error",
        message=f"the body has more than {limit} bytes; {_NOTHING}",
    )


TOO_SLOW = Problem(
    status=408, code="request_timeout", kind="invalid_request_error", message=f"the body did not come; {_NOTHING}"
)
OVERLOADED = Problem(status=503, code="overloaded", message=f"too many requests are open; {_NOTHING}", may_retry=True)
STOPPING = Problem(status=503, code="stopping", message="the gateway stops", may_retry=True)


def problem_of(error: Exception) -> Problem:
    """Say what an error means for the caller."""
    if isinstance(error, Refused):
        return error.problem
    if isinstance(error, PrivguardError):
        return _of_ours(error)
    if isinstance(error, httpx2.HTTPError | httpx2.InvalidURL | httpx2.StreamError):
        return _of_upstream(error)
    return _internal(error)


def _internal(error: Exception) -> Problem:
    return Problem(status=500, code="internal_error", message=f"a fault in the gateway ({type(error).__name__})")


def _of_ours(error: PrivguardError) -> Problem:
    for kind, problem in _OPERATORS:
        if isinstance(error, kind):
            return problem
    message = str(error)
    for library, here in _WORDS:
        message = message.replace(library, here)
    if isinstance(error, RestoreError):
        return Problem(status=502, code="restore_failed", message=message)
    if not isinstance(error, ProtectionError | ConfigError):
        return _internal(error)
    if _NOTHING not in message:
        message = f"{message}; {_NOTHING}"
    for kind, status, code in _CALLERS_OWN:
        if isinstance(error, kind):
            return Problem(status=status, code=code, kind="invalid_request_error", message=message)
    return Problem(status=500, code="not_protected", message=message)


def _of_upstream(error: Exception) -> Problem:
    match error:
        case httpx2.ConnectError() | httpx2.ConnectTimeout() | httpx2.PoolTimeout():
            return Problem(
                status=502,
                code="upstream_unreachable",
                message=f"the model server cannot be reached; {_NOTHING}",
                may_retry=True,
            )
        case httpx2.TimeoutException():
            return Problem(
                status=504, code="upstream_timeout", message="the model server did not answer in time", may_retry=True
            )
        case _:
            told = f"the connection to the model server failed ({type(error).__name__})"
            return Problem(status=502, code="upstream_failed", message=told, may_retry=True)
