"""The client that asks the model server: a pool of connections without cookies and without memory of callers."""

from http.cookiejar import CookieJar, DefaultCookiePolicy

import httpx2

from privguard_adapters.gateway.settings import Settings

_MAX_REDIRECTS = 5
_IDLE_S = 30.0  # well below what servers wait before they close a connection


def open_client(settings: Settings) -> httpx2.AsyncClient:
    """Open the client. Proxies and certificates are taken from the environment, as with the SDK.

    Redirects are followed here, through the gate: a caller who followed one would go past it.
    """
    return httpx2.AsyncClient(
        timeout=httpx2.Timeout(
            connect=settings.connect_timeout_s,
            read=settings.read_timeout_s,
            write=settings.read_timeout_s,
            pool=settings.connect_timeout_s,
        ),
        limits=httpx2.Limits(
            max_connections=settings.max_requests,
            max_keepalive_connections=min(100, settings.max_requests),
            keepalive_expiry=_IDLE_S,
        ),
        follow_redirects=True,
        max_redirects=_MAX_REDIRECTS,
        # What the server sets for one caller is nothing for the next.
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
    )
