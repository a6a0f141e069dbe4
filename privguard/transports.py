"""Protect HTTP clients that no SDK stands above: `httpx.Client(transport=privguard.transport(…))`."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol, TypeVar

from privguard.core.errors import ConfigError
from privguard.core.protocols import AuditSink, Detector, ProfileBook, Vault
from privguard.guard import Guard
from privguard.replacements.key import Key
from privguard.settings import Settings

Http = TypeVar("Http")

GROUP = "privguard.transports"


class TransportAdapter(Protocol):
    """What an entry point of the group `privguard.transports` provides, under the package of its HTTP library."""

    def matches(self, inner: object) -> bool:
        """Tell whether it is a transport or a client of the library."""
        ...

    def guarded(self, inner: Http, guard: Guard, base_url: str) -> Http:
        """Return a transport over the one that is given, or a copy of a client, that nothing passes unprotected."""
        ...


def transport(  # noqa: PLR0913 - the settings of a guard
    inner: Http,
    *,
    base_url: str,
    guard: Guard | None = None,
    profiles: ProfileBook | Mapping[str, object] | str | Path | None = None,
    detector: Detector | None = None,
    key: Key | bytes | str | None = None,
    audit: AuditSink | str | Path | None = None,
    audit_mode: str | None = None,
    model: str | Path | None = None,
    device: str | None = None,
    vault: Vault | str | Path | None = None,
    tenant: str = "",
    telemetry: str | None = None,
) -> Http:
    """Return a transport of httpx or httpx2 that sends the least and answers in full, over the one that is given.

    It is sync or async as that one is, and goes where that one went: `httpx.Client(transport=…)`. Given a whole client,
    it returns a copy of it, with all its transports guarded; the client that is given stays as it is.

    Args:
        inner: a transport (`httpx.HTTPTransport()`), or a client.
        base_url: of the API, with its prefix: `http://localhost:11434/v1`. Requests to other hosts, and to routes below
            it that are not protected, are refused.
        guard: a guard to share; the other arguments are those of `load_guard`.

    Raises:
        ConfigError: it is neither a transport nor a client of httpx or httpx2, `base_url` is no URL, or a setting is
            wrong.
        ArtifactError: the model is damaged.
    """
    settings = Settings(
        profiles=profiles,
        detector=detector,
        key=key,
        audit=audit,
        audit_mode=audit_mode,
        model=model,
        device=device,
        vault=vault,
        tenant=tenant,
        telemetry=telemetry,
    )
    adapter = _adapter(inner)
    return adapter.guarded(inner, settings.guard_or(guard, "transport()"), base_url)


def _adapter(inner: object) -> TransportAdapter:
    from importlib.metadata import entry_points  # which loads mail, archives and tables: a guard alone needs none

    known = entry_points(group=GROUP)
    for point in known:
        # Whoever has something of a library has imported it.
        if point.name in sys.modules:
            adapter: TransportAdapter = point.load()
            if adapter.matches(inner):
                return adapter
    name = f"{type(inner).__module__}.{type(inner).__qualname__}"
    raise ConfigError(
        f"{name} is no transport and no client of: {', '.join(sorted(point.name for point in known)) or 'nothing'}. "
        "`privguard serve` and privguard.minimize() work with every HTTP client."
    )
