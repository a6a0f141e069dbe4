"""`privguard serve`: the gateway, from the command line."""

from pathlib import Path
from typing import Annotated

import typer

from privguard.cli.settings import (
    KEY_VARIABLE,
    DetectorName,
    DetectorOption,
    DeviceOption,
    KeyOption,
    ModelOption,
    ProfilesOption,
    find_key,
)
from privguard.core.errors import ConfigError
from privguard.guard import Guard

UpstreamOption = Annotated[
    str,
    typer.Option("--upstream", metavar="URL", help="The model server, such as https://api.openai.com/v1."),
]
HostOption = Annotated[str, typer.Option("--host", metavar="ADDRESS", help="Where to listen.")]
PortOption = Annotated[int, typer.Option("--port", min=0, max=65535, help="0 for any that is free.")]
PublicOption = Annotated[
    bool, typer.Option("--allow-public", help="Listen on an address that others reach: there is no TLS here.")
]
AuditOption = Annotated[
    str | None, typer.Option("--audit", metavar="FILE", help="The audit log, or off. Default: PRIVGUARD_AUDIT.")
]
ForwardOption = Annotated[
    list[str] | None,
    typer.Option("--forward-header", metavar="NAME", help="A header that passes too, such as x-team-*. Repeatable."),
]
BodyOption = Annotated[float, typer.Option("--max-body-mib", help="The largest body of a request.")]
RequestsOption = Annotated[int, typer.Option("--max-requests", help="Requests that are open at the same time.")]
ConnectOption = Annotated[
    float, typer.Option("--connect-timeout-s", help="Seconds for a connection to the model server.")
]
ReadOption = Annotated[float, typer.Option("--read-timeout-s", help="Seconds between two pieces of a reply.")]
GraceOption = Annotated[float, typer.Option("--grace-s", help="Seconds for open replies when the gateway stops.")]


def serve(  # noqa: PLR0913 - one parameter an option
    *,
    upstream: UpstreamOption,
    host: HostOption = "127.0.0.1",
    port: PortOption = 8080,
    allow_public: PublicOption = False,
    profiles: ProfilesOption = None,
    audit: AuditOption = None,
    model: ModelOption = None,
    device: DeviceOption = None,
    detector: DetectorOption = DetectorName.DEFAULT,
    key_env: KeyOption = KEY_VARIABLE,
    forward_header: ForwardOption = None,
    max_body_mib: BodyOption = 8.0,
    max_requests: RequestsOption = 512,
    connect_timeout_s: ConnectOption = 10.0,
    read_timeout_s: ReadOption = 600.0,
    grace_s: GraceOption = 30.0,
) -> None:
    """Serve the OpenAI API, or Anthropic's messages, protected, for callers in any language.

    Give them http://HOST:PORT/v1 as base URL; their keys pass through to the model server. SIGTERM stops it.
    """
    _check_installed()
    from privguard_adapters.gateway.settings import MIB, Settings, is_loopback

    settings = Settings(
        upstream=upstream,
        host=host,
        port=port,
        allow_public=allow_public,
        forward_headers=tuple(name.lower() for name in forward_header or ()),
        max_body_bytes=round(max_body_mib * MIB),
        max_requests=max_requests,
        connect_timeout_s=connect_timeout_s,
        read_timeout_s=read_timeout_s,
        grace_s=grace_s,
    )
    key = find_key(key_env)
    from privguard_adapters.gateway.app import build_app
    from privguard_adapters.gateway.logs import set_up_logs
    from privguard_adapters.gateway.serving import listen, tune_process
    from privguard_adapters.gateway.serving import serve as run

    with listen(settings) as listening:
        guard = _load(profiles, key, audit, detector, model, device)
        set_up_logs()
        _warn(in_clear=settings.upstream_in_clear, public=not is_loopback(host), has_key=key is not None)
        tune_process()
        run(build_app(guard, settings), settings, listening)


def _check_installed() -> None:
    from importlib.util import find_spec

    missing = [name for name in ("httpx2", "prometheus_client", "starlette", "uvicorn") if find_spec(name) is None]
    if missing:
        raise ConfigError(f"serve needs {', '.join(missing)}: pip install 'privguard[gateway]'")


def _load(
    profiles: Path | None,
    key: str | None,
    audit: str | None,
    detector: DetectorName,
    model: str | None,
    device: str | None,
) -> Guard:
    """Load the guard and let it work once, so that whatever fails fails now and the first caller does not wait."""
    from dataclasses import replace

    from privguard.api import load_guard
    from privguard.audit import open_sink
    from privguard.detect import rules_detector
    from privguard.guard.shapes import text_segments

    chosen = rules_detector() if detector is DetectorName.RULES else None
    guard = load_guard(profiles=profiles, key=key, audit=audit, detector=chosen, model=model, device=device)
    unrecorded = Guard(replace(guard.parts, sink=open_sink("off"), vault=None))
    unrecorded.begin(text_segments("Write to Ada Roth, born 14 March 1987: ada@mail.example"), target="any").close()
    return guard


def _warn(*, in_clear: bool, public: bool, has_key: bool) -> None:
    import logging

    log = logging.getLogger("privguard.gateway")
    if in_clear:
        log.warning("the upstream is asked without TLS: what is sent, and the keys of callers, can be read on the way")
    if public:
        log.warning("listening on an address that others may reach, without TLS: put a proxy with TLS before it")
    if not has_key:
        log.warning("no key is set: placeholders change with every start; set PRIVGUARD_KEY to keep them")
