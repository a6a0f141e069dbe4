"""The head of a reply: where it points, and in which content encoding its body comes."""

from privguard.core.errors import RestoreError
from privguard_adapters.wire.headers import Headers, content_encodings, header_items


def location_of(status: int, headers: Headers) -> bytes | None:
    """Return where a redirect points, None where the reply is none."""
    if not 300 <= status < 400:
        return None
    return next((value for name, value in headers if name.lower() == b"location"), None)


def redirected_method(method: str, status: int) -> str:
    """Return the method by which clients follow a redirect of a status."""
    becomes_get = (status == 303 and method != "HEAD") or (status in (301, 302) and method == "POST")
    return "GET" if becomes_get else method


def check_encoding(sent: Headers, received: Headers, decodes: frozenset[str] | None) -> None:
    """Check that a body can be read.

    Args:
        sent: the headers of the request.
        received: those of the reply.
        decodes: the content encodings that whoever reads the reply undoes, None where nobody needs to.

    Raises:
        RestoreError: it is in a content encoding that the request did not accept, or that nobody undoes.
    """
    accepted = {item.partition(";")[0].strip() for item in header_items(sent, b"accept-encoding")}
    used = content_encodings(received)
    if used - accepted and "*" not in accepted:
        raise RestoreError("the reply came in a content encoding that the request did not accept")
    if decodes is not None and used - decodes:
        raise RestoreError("the reply came in a content encoding that the HTTP library does not undo")
