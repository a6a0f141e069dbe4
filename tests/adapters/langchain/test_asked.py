"""What a call asks: its arguments, sorted, and what goes beside the document."""

import pytest
from langchain_core.messages import HumanMessage
from langchain_openai import ChatOpenAI
from pydantic import BaseModel

from privguard.core.errors import UnknownContentError
from privguard_adapters.langchain.asked import HEADERS, Asked, beside, names_of, target_of
from privguard_adapters.langchain.seam import Value
from privguard_adapters.wire.langchain_messages import load
from privguard_adapters.wire.langchain_requests import ChatRequest

MESSAGES = [HumanMessage("hello")]


class Answer(BaseModel):
    text: str


def written(to: ChatOpenAI, **options: Value) -> Value:
    kept: list[ChatRequest] = []
    return load(Asked.of(MESSAGES, ["END"], options).write(to, kept).body)


def test_arguments_are_sorted(model: ChatOpenAI) -> None:
    asked = Asked.of(MESSAGES, None, {"stream": True, "model": "gpt-5-mini", HEADERS: {"a": "b"}, "user": "u"})
    assert dict(asked.options) == {"user": "u"}
    assert set(asked.aside) == {"stream", "model", HEADERS}
    body = written(model, model="gpt-5-mini", user="u")
    assert (body["model"], body["user"], body["stop"]) == ("gpt-5-mini", "u", ["END"])


def test_a_class_to_parse_into_is_written_as_its_schema(model: ChatOpenAI) -> None:
    assert Asked.of(MESSAGES, None, {"response_format": Answer}).output is Answer
    body = written(model, response_format=Answer)
    assert body["response_format"]["json_schema"]["name"] == "Answer"


@pytest.mark.parametrize("options", [{"stream": "yes"}, {"model": 3}], ids=["stream", "model"])
def test_what_is_in_no_document_must_be_what_it_should(model: ChatOpenAI, options: dict[str, Value]) -> None:
    with pytest.raises(UnknownContentError):
        written(model, **options)


def test_headers_and_query_of_the_model_and_of_the_call_go_beside(model: ChatOpenAI) -> None:
    made = model.model_copy(update={"default_headers": {"a": "1", "b": "2"}, "default_query": {"q": "1"}})
    found = beside(made, {HEADERS: {"b": "3"}})
    assert found == {"headers": {"a": "1", "b": "3"}, "query": {"q": "1"}}


def test_the_target_is_the_name_of_the_model_else_of_its_class(model: ChatOpenAI) -> None:
    assert (target_of(model), names_of(model)) == ("gpt-5", {})

    class Named:
        privguard_original = ChatOpenAI

    assert target_of(Named()) == "ChatOpenAI"
    Named.model_id, Named.deployment_name = "one", "two"  # type: ignore[attr-defined]  # as some models have them
    assert (target_of(Named()), names_of(Named())) == ("one", {"model": ["two"]})
