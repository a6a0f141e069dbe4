"""Where the results of message batches are fetched: a reply tells an address of the provider's, past the gateway.

It is told without a host, which the SDKs read as one below their base URL: whatever that is, and whatever proxies stand
between.
"""

import re

from privguard.core.json_leaves import Kind, Leaf, Path, cut, encode
from privguard_adapters.gateway.incoming import BASE_PATH
from privguard_adapters.wire.reply import read_reply

# The routes whose replies tell of batches.
TELLS_OF_BATCHES = frozenset({f"anthropic.batches{each}" for each in ("", ".list", ".retrieve", ".cancel")})
_ADDRESS = "results_url"
_ID = re.compile(r"[A-Za-z0-9_-]{1,128}")


def pointing_here(body: bytes) -> bytes:
    """Return what is told of batches, with the addresses of their results here; none for a batch without an id."""
    document = read_reply(body.decode("utf-8", "replace"))
    if document is None:
        return body
    values = document.values()
    edits = {
        (leaf.start, leaf.end): _address(values.get((*path[:-1], "id")))
        for path, leaf in values.items()
        if path[-1] == _ADDRESS and leaf.kind is Kind.STRING and _is_batch(path)
    }
    return cut(document.text, edits).encode() if edits else body


def _is_batch(path: Path) -> bool:
    return len(path) == 1 or path[:1] == ("data",)


def _address(batch_id: Leaf | None) -> str:
    if batch_id is None or batch_id.kind is not Kind.STRING or not _ID.fullmatch(batch_id.text):
        return "null"
    return encode(f"{BASE_PATH}/messages/batches/{batch_id.text}/results")
