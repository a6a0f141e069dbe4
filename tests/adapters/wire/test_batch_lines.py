import json
from typing import Any

import pytest

from privguard.core.errors import UnknownContentError
from privguard_adapters.wire import openai_chat, openai_responses
from privguard_adapters.wire.batch_lines import ENDPOINTS, codec_named, notes_of, read_line
from privguard_adapters.wire.kept_names import rules_in
from privguard_adapters.wire.reply import ReplyRules
from privguard_adapters.wire.reply_names import ReplyNames
from privguard_adapters.wire.routes import find_route

CHAT: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "Ada Roth"}]}


def raw(**changes: Any) -> bytes:  # noqa: ANN401 - fields of a line
    return json.dumps(
        {"custom_id": "a", "method": "POST", "url": "/v1/chat/completions", "body": CHAT, **changes}
    ).encode()


def test_every_endpoint_is_a_route_with_the_same_codec() -> None:
    for url, codec in ENDPOINTS.items():
        assert find_route("POST", f"/v1/{url.removeprefix('/v1').strip('/')}", "/v1/").codec is codec
        assert codec_named(codec.name) is codec
    assert codec_named("openai.made_up") is None


def test_a_line_is_a_request_of_its_own() -> None:
    line = read_line(raw())
    assert (line.custom_id, line.codec, line.view.target) == ("a", openai_chat.CODEC, "m")
    assert [segment.text for segment in line.view.segments] == ["Ada Roth"]
    assert [check.text for check in line.view.checks] == ["m"]
    assert line.id_check is not None
    assert line.id_check.text == "a"
    assert read_line(raw(custom_id="two words")).id_check is None


def test_what_does_not_change_keeps_its_bytes() -> None:
    given = (
        b' { "body":{"messages":[{"role":"user","content":"\\u0041"}],"model":"m"} , "url":"\\/v1/chat/completions", '
    )
    given += b'"method" : "POST","custom_id":"a\\u002d1" }\r'
    line = read_line(given)
    assert line.custom_id == "a-1"
    assert line.write(line.view.segments, sent_id="a-1") == given
    assert json.loads(line.write(line.view.segments, sent_id="line-1"))["custom_id"] == "line-1"


@pytest.mark.parametrize(
    "body",
    [
        {**CHAT, "stream": True},
        {"model": "m", "input": "x", "background": True},
        {"model": "m", "input": "x", "conversation": "conv_1"},
    ],
)
def test_what_has_no_place_in_a_batch_is_refused(body: dict[str, Any]) -> None:
    url = "/v1/responses" if "input" in body else "/v1/chat/completions"
    with pytest.raises(UnknownContentError, match="no place in a batch"):
        read_line(raw(url=url, body=body))


def test_a_line_may_speak_of_an_earlier_response() -> None:
    line = read_line(raw(url="/v1/responses", body={"model": "m", "input": "x", "previous_response_id": "resp_1"}))
    assert line.codec is openai_responses.RESPONSES
    assert line.view.later.earlier == ("resp_1",)


def test_rules_come_back_as_they_were_written() -> None:
    names = ReplyNames(tools={"a_1": "a"}, arguments={"a_1": {"k_1": "k"}}, output={"o_1": "Zoë"})
    rules = ReplyRules(json_reply=True, choices=3, offered=frozenset({"a_1", "b"}), names=names)
    for given, is_kept in ((rules, True), (ReplyRules(), False)):
        notes = notes_of(openai_chat.CODEC, given, is_kept=is_kept)
        back, kept = rules_in(notes)
        # What a reply is told, and asks, is its own.
        assert (back.json_reply, back.choices, back.offered, back.names) == (
            given.json_reply, given.choices, given.offered, given.names,
        )  # fmt: skip
        assert (notes["codec"], kept) == (openai_chat.CODEC.name, is_kept)
