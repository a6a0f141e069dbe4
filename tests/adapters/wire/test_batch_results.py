import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.errors import RestoreError
from privguard_adapters.wire import openai_chat, openai_embeddings
from privguard_adapters.wire.batch_results import LineCutter, ResultLine
from privguard_adapters.wire.codec import Codec
from privguard_adapters.wire.reply import ReplyRules
from tests.adapters.fake_guard import FakeGuard

MARK = "[PERSON_7QK2]"


@given(st.binary(max_size=80), st.lists(st.integers(1, 80)))
def test_lines_are_the_same_however_they_are_cut(body: bytes, cuts: list[int]) -> None:
    cutter = LineCutter()
    places = [0, *sorted({min(cut, len(body)) for cut in cuts}), len(body)]
    lines = [line for start, end in pairwise(places) for line in cutter.feed(body[start:end])]
    rest = cutter.rest()
    assert b"".join(lines) + rest == body
    assert [line.count(b"\n") for line in lines] == [1] * body.count(b"\n")
    assert b"\n" not in rest


def restored(line: dict[str, Any], codec: Codec = openai_chat.CODEC) -> Any:  # noqa: ANN401 - any JSON value
    read = ResultLine(json.dumps(line).encode() + b"\n")
    exchange = FakeGuard().begin((), target="m")
    return json.loads(read.restore(exchange, codec, ReplyRules()))


def result(body: object, status: int = 200) -> dict[str, Any]:
    response = {"status_code": status, "request_id": MARK, "body": body}
    return {"id": MARK, "custom_id": MARK, "response": response, "error": None}


def test_the_body_is_restored_as_the_reply_that_it_is_and_ids_stay() -> None:
    body = {"choices": [{"message": {"role": "assistant", "content": f"Dear {MARK}"}}]}
    found = restored(result(body))
    assert found["response"]["body"]["choices"][0]["message"]["content"] == "Dear Ada Roth"
    assert (found["id"], found["custom_id"], found["response"]["request_id"]) == (MARK, MARK, MARK)


def test_replies_without_text_pass_unread_and_their_errors_do_not() -> None:
    vectors = {"data": [{"embedding": [0.1, 0.25], "note": MARK}]}
    assert restored(result(vectors), openai_embeddings.CODEC) == result(vectors)
    failed = restored(result({"error": {"message": f"{MARK} is too long"}}, 400), openai_embeddings.CODEC)
    assert failed["response"]["body"]["error"]["message"] == "Ada Roth is too long"


def test_a_line_comes_back_under_the_callers_name() -> None:
    line = ResultLine(json.dumps(result({})).encode())
    back = line.restore(FakeGuard().begin((), target="m"), openai_chat.CODEC, ReplyRules(), own_id='of "Zoë"')
    assert json.loads(back)["custom_id"] == 'of "Zoë"'


def test_errors_of_a_line_are_restored() -> None:
    line = {"custom_id": "a", "response": None, "error": {"code": "x", "message": f"{MARK} expired"}}
    assert restored(line)["error"]["message"] == "Ada Roth expired"


def test_a_request_comes_back_as_the_caller_wrote_it() -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": f'{{"a": "{MARK}"}}'}], "metadata": {MARK: "x"}}
    line = {"custom_id": "a", "method": "POST", "url": "/v1/chat/completions", "body": body}
    own = restored(line)["body"]
    assert own["messages"][0] == {"role": "user", "content": '{"a": "Ada Roth"}'}
    assert own["metadata"] == {"Ada Roth": "x"}


@pytest.mark.parametrize("body", ["text", 1, None, [MARK]])
def test_a_body_of_another_shape_is_no_fault(body: object) -> None:
    restored(result(body))


def test_a_line_without_change_keeps_its_bytes() -> None:
    raw = b'{ "custom_id":"\\u0061", "response": null,"error":null }\r\n'
    line = ResultLine(raw)
    assert line.custom_id == "a"
    assert line.restore(FakeGuard().begin((), target="m"), openai_chat.CODEC, ReplyRules()) == raw


@pytest.mark.parametrize("raw", [b"", b"[]", b"Ada Roth", b'{"id": "a"}', b'{"custom_id": 1}', b'{"custom_id": "a"'])
def test_what_names_no_request_is_refused_without_a_word_of_it(raw: bytes) -> None:
    with pytest.raises(RestoreError) as caught:
        ResultLine(raw)
    assert "Ada" not in str(caught.value)
