"""The server: a socket, signals, and the way to a clean end."""

import gc
import logging
import os
import signal
import socket
import sys
from types import FrameType

import uvicorn
from starlette.types import ASGIApp

from privguard.core.errors import ConfigError
from privguard_adapters.gateway.settings import Settings

_BACKLOG = 2048
_TURN_S = 0.0005  # of a thread that computes, while another one waits
_IDLE_S = 75  # longer than the proxies before it keep a connection, so that they are the ones to close it

log = logging.getLogger("privguard.gateway")


def listen(settings: Settings) -> socket.socket:
    """Open the socket.

    Raises:
        ConfigError: the address cannot be used.
    """
    try:
        return _bind(settings.host, settings.port)
    except OSError as error:
        reason = error.strerror or type(error).__name__
    raise ConfigError(f"cannot listen on port {settings.port} of the host: {reason}")


def _bind(host: str, port: int) -> socket.socket:
    # asyncio sends small pieces at once only where the socket says that it speaks TCP.
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    family, kind, protocol, _, address = found[0]
    listening = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(_BACKLOG)
    except OSError:
        listening.close()
        raise
    return listening


def url_of(listening: socket.socket) -> str:
    """Return the base URL for callers."""
    host, port = listening.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/v1"


def make_server(app: ASGIApp, settings: Settings) -> uvicorn.Server:
    """Build the server of an application."""
    return uvicorn.Server(
        uvicorn.Config(
            app,
            loop="asyncio",
            http="h11",
            ws="none",
            lifespan="on",
            log_config=None,
            access_log=False,  # its lines hold queries and addresses
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=_IDLE_S,
            timeout_graceful_shutdown=round(settings.grace_s),
            backlog=_BACKLOG,
        )
    )


def serve(app: ASGIApp, settings: Settings, listening: socket.socket) -> None:
    """Serve until SIGTERM or SIGINT: then nobody new, and open replies have the time of grace. Returns normally."""
    # The server raises the signal once more when it is done, for whoever had a handler before it.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _ignore)
    log.info("listening on %s", url_of(listening))
    make_server(app, settings).run(sockets=[listening])
    log.info("stopped")


def tune_process() -> None:
    """Let the interpreter serve streams first: it is asked for before detection has had its full turn, and what is
    loaded for good is no longer searched for garbage.
    """
    sys.setswitchinterval(_TURN_S)
    gc.collect()
    gc.freeze()


def _ignore(_number: int, _frame: FrameType | None) -> None:
    return None
