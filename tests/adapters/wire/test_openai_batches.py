import json
from typing import Any

import pytest

from privguard.core.errors import UnknownContentError
from privguard_adapters.wire.openai_batches import SeenBatch, read_create, seen_batches
from tests.adapters.wire.places import changed, places

ASKED: dict[str, Any] = {
    "input_file_id": "file-1",
    "endpoint": "/v1/chat/completions",
    "completion_window": "24h",
    "metadata": {"job": "nightly", "run": "a"},
    "output_expires_after": {"anchor": "created_at", "seconds": 3600},
}
BATCH = {
    "id": "batch_1",
    "object": "batch",
    "input_file_id": "file-1",
    "status": "completed",
    "output_file_id": "file-2",
}


def test_what_is_looked_at_of_a_batch() -> None:
    batch = read_create(json.dumps(ASKED).encode())
    assert batch.input_file_id == "file-1"
    assert [check.text for check in batch.checks] == ["file-1", "job", "nightly", "run", "a"]
    assert [check.key for check in batch.checks] == ["", "", "job", "", "run"]


@pytest.mark.parametrize("place", range(len(places(ASKED))))
def test_a_canary_in_any_place_is_looked_at_or_refused(place: int) -> None:
    body = changed(ASKED, places(ASKED)[place], "canary")
    try:
        batch = read_create(json.dumps(body).encode())
    except UnknownContentError as error:
        assert "canary" not in str(error)  # noqa: PT017 - which of both happens, the place says
    else:
        assert "canary" in [check.text for check in batch.checks]


@pytest.mark.parametrize("body", [{}, [], {**ASKED, "input_file_id": ""}, {**ASKED, "metadata": {"a": {"b": "c"}}}])
def test_what_is_no_batch_is_refused(body: object) -> None:
    with pytest.raises(UnknownContentError):
        read_create(json.dumps(body).encode())


def test_what_a_batch_tells_of_its_files() -> None:
    done = SeenBatch(id="batch_1", input_file_id="file-1", result_ids=("file-2",), is_open=False)
    assert seen_batches(json.dumps(BATCH)) == (done,)
    running = {**BATCH, "status": "in_progress", "output_file_id": None, "error_file_id": "file-3"}
    listed = {"object": "list", "data": [BATCH, {"object": "other", "id": "x"}, running]}
    assert [(each.result_ids, each.is_open) for each in seen_batches(json.dumps(listed))] == [
        (("file-2",), False),
        (("file-3",), True),
    ]


@pytest.mark.parametrize(
    "text", ["", "no JSON", "[]", '{"object": "batch"}', '{"object": "batch", "id": "x y"}', '{"error": {}}']
)
def test_other_replies_tell_nothing(text: str) -> None:
    assert seen_batches(text) == ()
