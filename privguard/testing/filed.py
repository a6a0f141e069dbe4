"""What the scripted server keeps of OpenAI's files and batches: every line of a batch is answered as if sent by itself.

The file of the n-th request is `file-n`, the batch that it made `batch_n`, and its results are `file-n-output`, in an
order of their own, and `file-n-error`. A batch is complete as soon as it is asked for.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Protocol

from privguard.testing import completions, responses
from privguard.testing.recorded import Recorded
from privguard.testing.replies import Reply

Json = completions.Json
_CREATED = 1_700_000_000
_FILES = re.compile(r".*/files(?:/file-(\d+)(-output|-error)?(/content)?)?")
_BATCHES = re.compile(r".*/batches(?:/batch_(\d+)(/cancel)?)?")
_FIELD = re.compile(rb'name="([^"]*)"(?:; filename="([^"]*)")?')


class Memory(Protocol):
    """What the server remembers, and how it answers."""

    def earlier(self, number: int) -> tuple[Recorded, Reply] | None:
        """Return an earlier request by its number, with the reply to it."""
        ...

    def choose(self, request: Recorded) -> Reply:
        """Return the next reply."""
        ...


def is_filed(request: Recorded) -> bool:
    """Tell whether a request is about files or batches."""
    path = request.path.rstrip("/")
    return _FILES.fullmatch(path) is not None or (
        _BATCHES.fullmatch(path) is not None and not path.endswith("/messages/batches")
    )


def is_kept(request: Recorded, memory: Memory) -> bool:
    """Tell whether there is the file or the batch that a request asks for."""
    path = request.path.rstrip("/")
    found = _FILES.fullmatch(path) or _BATCHES.fullmatch(path)
    if found is None or found[1] is None:
        return True
    made = memory.earlier(int(found[1]))
    below = "/batches" if found.re is _BATCHES or found[2] else "/files"
    return made is not None and made[0].method == "POST" and made[0].path.rstrip("/").endswith(below)


def filed(request: Recorded, memory: Memory, number: int) -> Json | list[bytes]:
    """Return the reply to such a request: an object, or the lines of a file."""
    path = request.path.rstrip("/")
    about = _BATCHES.fullmatch(path)
    if about is None:
        return _file(request, memory, number)
    if about[1] is None:
        return _batch(request, number) if request.method == "POST" else _listed(memory, number)
    made = _kept(memory, about[1])
    return _batch(made, int(about[1]), status="cancelled" if about[2] else "completed")


def form_of(request: Recorded) -> Mapping[str, bytes]:
    """Return the fields of a form by their names; the file of it is one of them."""
    kind = request.header("content-type") or ""
    boundary = b"--" + kind.partition("boundary=")[2].strip('"').encode()
    fields: dict[str, bytes] = {}
    for piece in request.decoded.split(boundary)[1:-1]:
        head, _, body = piece.partition(b"\r\n\r\n")
        name = _FIELD.search(head)
        if name is not None:
            fields[name[1].decode()] = body.removesuffix(b"\r\n")
    return fields


def _file(request: Recorded, memory: Memory, number: int) -> Json | list[bytes]:
    found = _FILES.fullmatch(request.path.rstrip("/"))
    if found is None or found[1] is None:
        if request.method == "POST":
            return _file_object(f"file-{number}", form_of(request).get("purpose", b"").decode(errors="replace"))
        return {"object": "list", "data": [], "has_more": False}
    name, made = f"file-{found[1]}{found[2] or ''}", _kept(memory, found[1])
    if request.method == "DELETE":
        return {"id": name, "object": "file", "deleted": True}
    if not found[3]:
        return _file_object(name, "batch_output" if found[2] else "batch")
    if not found[2]:
        return [form_of(made)["file"]]
    upload = _kept(memory, made.json()["input_file_id"].removeprefix("file-"))
    return [line for failed, line in _results(upload, memory) if failed == (found[2] == "-error")]


def _kept(memory: Memory, number: str) -> Recorded:
    made = memory.earlier(int(number))
    if made is None:
        raise LookupError("nothing is kept there")
    return made[0]


def _file_object(name: str, purpose: str) -> Json:
    head = {"id": name, "object": "file", "bytes": 1, "created_at": _CREATED, "filename": "batch.jsonl"}
    return {**head, "purpose": purpose, "status": "processed"}


def _batch(request: Recorded, number: int, *, status: str = "validating") -> Json:
    done = status == "completed"
    given = request.json()
    return {
        "id": f"batch_{number}",
        "object": "batch",
        "endpoint": given.get("endpoint", ""),
        "input_file_id": given.get("input_file_id", ""),
        "completion_window": given.get("completion_window", ""),
        "created_at": _CREATED,
        "status": status,
        "output_file_id": f"file-{number}-output" if done else None,
        "error_file_id": f"file-{number}-error" if done else None,
        "metadata": given.get("metadata"),
    }


def _listed(memory: Memory, number: int) -> Json:
    """Return all batches before a request, the newest first."""
    made = {each: kept for each in reversed(range(1, number)) if (kept := memory.earlier(each)) is not None}
    batches = [
        _batch(kept[0], each, status="completed")
        for each, kept in made.items()
        if kept[0].method == "POST" and kept[0].path.rstrip("/").endswith("/batches")
    ]
    return {"object": "list", "data": batches, "has_more": False}


def _results(upload: Recorded, memory: Memory) -> Iterator[tuple[bool, bytes]]:
    """Yield each result, the last line first, and whether it is an error."""
    for number, raw in reversed(list(enumerate(form_of(upload)["file"].splitlines(), 1))):
        if not raw.strip():
            continue
        line = json.loads(raw)
        body = json.dumps(line["body"]).encode()
        request = Recorded(method=line["method"], target=line["url"], headers=(), body=body, decoded=body)
        reply = memory.choose(request)
        failed = reply.status != 200
        answer = completions.error_body(reply.status, "scripted failure") if failed else _answer(request, reply, number)
        response = {"status_code": reply.status, "request_id": f"req_{number}", "body": answer}
        result = {"id": f"batch_req_{number}", "custom_id": line["custom_id"], "response": response, "error": None}
        yield failed, json.dumps(result).encode() + b"\n"


def _answer(request: Recorded, reply: Reply, number: int) -> Json:
    if request.path.endswith("/chat/completions"):
        return completions.chat_body(request, reply, number)
    if request.path.endswith("/completions"):
        return completions.text_body(request, reply, number)
    if request.path.endswith("/responses"):
        return responses.response_body(request, reply, number)
    if request.path.endswith("/moderations"):
        return moderation_body(request)
    return completions.embeddings_body(request)


def moderation_body(request: Recorded) -> Json:
    """Write the verdicts on the inputs of a request: nothing is ever flagged."""
    given = request.json().get("input")
    verdict = {"flagged": False, "categories": {}, "category_scores": {}, "category_applied_input_types": {}}
    count = len(given) if isinstance(given, list) and all(isinstance(each, str) for each in given) else 1
    return {"id": "modr-1", "model": request.json().get("model") or "omni-moderation", "results": [verdict] * count}
