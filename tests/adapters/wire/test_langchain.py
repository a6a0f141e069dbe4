"""The routes: what is content in a document of LangChain, and what is looked at beside it."""

from typing import Any

import pytest

from privguard.core.errors import UnknownContentError, UnprotectedRouteError
from privguard.core.segments import Role
from privguard_adapters.wire.langchain import LANGCHAIN
from privguard_adapters.wire.langchain_messages import dump
from privguard_adapters.wire.request import RequestView


def read(route: str, **document: Any) -> RequestView:  # noqa: ANN401 - any JSON
    codec = LANGCHAIN.find_route("POST", f"/{route}", "").codec
    assert codec is not None
    return codec.read_request(dump({"model": "gpt-5", "settings": {}, **document}))


def test_messages_are_content_with_their_speaker() -> None:
    call = {"id": "call_1", "type": "tool_call", "function": {"name": "look_up", "arguments": '{"who": "a b"}'}}
    view = read(
        "chat",
        messages=[
            {"role": "system", "content": "be kind"},
            {"role": "assistant", "content": [{"type": None, "text": "well"}], "tool_calls": [call]},
            {"role": "tool", "content": "found", "tool_call_id": "call_1"},
        ],
    )
    texts = {segment.text: segment.role for segment in view.segments}
    assert texts["be kind"] is Role.SYSTEM
    assert texts["well"] is texts["a b"] is texts["look_up"] is Role.ASSISTANT
    assert texts["found"] is Role.TOOL


def test_what_is_set_on_the_model_is_looked_at_and_no_content() -> None:
    view = read("chat", messages=[{"role": "user", "content": "hello"}], settings={"user": ["Ada Roth"]})
    assert [segment.text for segment in view.segments] == ["hello"]
    assert ("Ada Roth", "user") in [(check.text, check.key) for check in view.checks]


def test_inputs_are_what_the_user_says() -> None:
    for route in ("embeddings", "retriever"):
        view = read(route, input=["a b", "c d"], filter={"owner": "e f"})
        assert [(each.text, each.role) for each in view.segments if each.text not in {"owner", "filter"}] == [
            ("a b", Role.USER),
            ("c d", Role.USER),
            ("e f", Role.OTHER),
        ]
        with pytest.raises(UnknownContentError):
            read(route, input=[1, 2])


def test_there_are_no_other_routes() -> None:
    with pytest.raises(UnprotectedRouteError):
        LANGCHAIN.find_route("POST", "/other", "")
    assert LANGCHAIN.route_name("POST", "/Ada Roth", "") == "langchain"
    assert LANGCHAIN.route_name("POST", "/chat", "") == "langchain.chat"
