import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from privguard.core.audit import AuditRecord, Outcome
from privguard.core.errors import AuditError, ProtectionError, VaultError
from privguard.guard import Guard
from privguard.testing import ListSink
from privguard.vault import SealedVault, open_vault
from privguard_adapters.call import HttpRequest
from privguard_adapters.uploads import open_upload
from privguard_adapters.wire.multipart import Part, write_form

FOUND = b'{"id": "file-1", "object": "file"}'


@pytest.fixture
def vault() -> SealedVault:
    return open_vault("memory:")


@pytest.fixture
def keeping(real_guard: Guard, vault: SealedVault) -> Guard:
    return Guard(replace(real_guard.parts, vault=vault))


def request(*texts: str) -> HttpRequest:
    lines = [
        {"custom_id": f"r{number}", "method": "POST", "url": "/v1/embeddings", "body": {"model": "m", "input": text}}
        for number, text in enumerate(texts)
    ]
    body = "\n".join([json.dumps(line) for line in lines]).encode()
    parts = [Part(name="purpose", body=b"batch"), Part(name="file", body=body, filename="b.jsonl")]
    content_type, form = write_form(parts, file_type="text/plain")
    headers = ((b"Content-Type", content_type.encode()), (b"content-length", str(len(form)).encode()))
    return HttpRequest(method="POST", url="http://x.example/v1/files", headers=headers, body=form)


def opened(guard: Guard, given: HttpRequest):  # type: ignore[no-untyped-def] # noqa: ANN201 - a call
    return open_upload(guard, given, lambda _passed: (), lambda _checks, _exchange: None, lambda _method, _url: False)


def test_the_form_is_written_anew_with_its_length(keeping: Guard) -> None:
    call = opened(keeping, request("I am Ada Roth"))
    headers = dict(call.request.headers)
    assert int(headers[b"content-length"]) == len(call.request.body)
    assert headers[b"content-type"].split(b"boundary=")[1] in call.request.body
    assert b"Ada Roth" not in call.request.body
    assert call.is_slow


@pytest.mark.parametrize(
    ("end", "kept"),
    [
        (lambda call: call.whole(FOUND), True),
        (lambda call: call.whole(b'{"error": {"message": "no"}}'), False),
        (lambda call: call.fail(OSError("gone")), False),
        (lambda call: call.drop(), False),
    ],
)
def test_values_are_kept_where_the_file_has_an_id(
    keeping: Guard, vault: SealedVault, sink: ListSink, end: Callable[[object], object], kept: bool
) -> None:
    call = opened(keeping, request("I am Ada Roth", "nothing"))
    assert vault.status().tables == 3
    end(call)
    assert (vault.status().tables > 0) is kept
    assert len(sink.records) == 2


def test_what_cannot_be_kept_is_not_sent(keeping: Guard, vault: SealedVault, sink: ListSink) -> None:
    class Full(SealedVault):
        def put(self, *args: object, **kwargs: object) -> bool:
            raise VaultError("full")

    full = Full(vault._store, vault._keys)
    with pytest.raises(ProtectionError):
        opened(Guard(replace(keeping.parts, vault=full)), request("I am Ada Roth", "x"))
    assert [record.outcome for record in sink.records] == [Outcome.BLOCKED] * 2


def test_a_failing_sink_keeps_no_line_open(keeping: Guard) -> None:
    class Failing(ListSink):
        def write(self, record: AuditRecord) -> None:
            super().write(record)
            raise AuditError("full")

    sink = Failing()
    call = opened(Guard(replace(keeping.parts, sink=sink)), request("I am Ada Roth", "x"))
    with pytest.raises(AuditError):
        call.whole(FOUND)
    assert len(sink.records) == 2
