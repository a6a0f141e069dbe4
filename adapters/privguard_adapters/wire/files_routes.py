"""The routes of batches and of their files."""

from collections.abc import Sequence

from privguard_adapters.wire import openai_batches, openai_files
from privguard_adapters.wire.later import Later
from privguard_adapters.wire.route import Filing, Route, finder, path_ids

_BATCH = "a batch"


def _files(method: str, rest: Sequence[str]) -> Route | None:
    name = openai_files.NAME
    if not rest:
        if method == "POST":
            return Route(name=name, filing=Filing.UPLOAD, later=Later(needs=_BATCH))
        return Route(name=name) if method == "GET" else None
    shape, (given,) = (method, *rest[1:]), path_ids(rest[:1])
    if shape == ("GET", "content"):
        later = Later(reopened=given.text, needs=_BATCH)
        return Route(name=f"{name}.content", filing=Filing.CONTENT, checks=(given,), later=later)
    if shape == ("DELETE",):
        return Route(name=name, filing=Filing.DELETE, checks=(given,), later=Later(reopened=given.text))
    return Route(name=name, checks=(given,)) if shape == ("GET",) else None


def _batches(method: str, rest: Sequence[str]) -> Route | None:
    name = openai_batches.NAME
    if not rest:
        later = Later(needs=_BATCH if method == "POST" else "")
        filing = Filing.CREATE if method == "POST" else Filing.SEE
        return Route(name=name, filing=filing, later=later) if method in ("GET", "POST") else None
    if (method, *rest[1:]) in (("GET",), ("POST", "cancel")):
        return Route(name=name, filing=Filing.SEE, checks=path_ids(rest[:1]))
    return None


find_files = finder({"files": _files, "batches": _batches})
