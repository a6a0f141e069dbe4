"""The seam: what passes it, what is refused before it, and what is said of a failure."""

from collections.abc import Callable

import pytest
from langchain_openai import ChatOpenAI

from privguard.core.audit import Outcome
from privguard.core.errors import PlanError, PrivguardError, RestoreError, UnknownContentError
from privguard.guard import Guard
from privguard.testing import ListSink
from privguard_adapters.langchain.seam import Outgoing, Seam, restored, sent_headers, settings_of, written
from privguard_adapters.wire.langchain_messages import load
from privguard_adapters.wire.langchain_requests import InputRequest
from tests.adapters.langchain.conftest import NAME


def outgoing(text: str, **beside: dict[str, str]) -> Outgoing:
    return Outgoing(body=InputRequest(target="m", texts=text).body(), **beside)


def test_what_leaves_is_minimized(guard: Guard) -> None:
    call = Seam(guard).open("embeddings", lambda: outgoing(NAME))
    assert NAME not in load(call.request.body)["input"]


async def test_a_worker_thread_opens_a_call_as_well(guard: Guard) -> None:
    call = await Seam(guard).aopen("embeddings", lambda: outgoing(NAME))
    assert NAME not in load(call.request.body)["input"]


@pytest.mark.parametrize("error", [ValueError(NAME), UnknownContentError("no")], ids=["foreign", "own"])
def test_what_cannot_be_written_is_refused_and_recorded(guard: Guard, sink: ListSink, error: Exception) -> None:
    def fail() -> Outgoing:
        raise error

    with pytest.raises(UnknownContentError) as caught:
        Seam(guard).open("chat", fail)
    assert NAME not in f"{caught.value} {caught.value.__context__}"
    assert [(record.route, record.outcome) for record in sink.records] == [("langchain.chat", Outcome.BLOCKED)]


def test_headers_and_query_are_looked_at(guard: Guard) -> None:
    seam = Seam(guard)
    for beside in ({"headers": {"x-note": NAME}}, {"query": {"owner": NAME}}):
        with pytest.raises(UnknownContentError):
            seam.open("embeddings", lambda beside=beside: outgoing("hello", **beside))  # type: ignore[misc]  # of one type


def test_only_headers_of_the_caller_come_back(guard: Guard) -> None:
    headers = {"X-Request": "a", "x-privguard-profile": "test"}
    call = Seam(guard).open("embeddings", lambda: outgoing("hello", headers={**headers, "x-default": "b"}))
    assert sent_headers(call, headers) == {"X-Request": "a"}


@pytest.mark.parametrize("read", [restored, None], ids=["reply", "request"])
def test_a_failure_is_told_without_its_text(
    guard: Guard, sink: ListSink, read: Callable[[Callable[[], object]], object] | None
) -> None:
    def fail() -> object:
        raise ValueError(NAME)

    call = Seam(guard).open("embeddings", lambda: outgoing("hello"))
    with pytest.raises(PrivguardError) as caught:
        read(fail) if read is not None else written(call, fail)
    assert type(caught.value) is (PlanError if read is None else RestoreError)
    assert caught.value.__context__ is None
    call.finish()
    assert len(sink.records) == 1


def test_settings_are_the_texts_that_may_leave_with_each_call(plain: ChatOpenAI) -> None:
    model = plain.model_copy(update={"model_kwargs": {"user": "u"}, "extra_body": {"a": ["b"]}})
    settings = settings_of(model, ChatOpenAI.__mro__[2], {"stop": ["s"], "model_name": "x", "temperature": 0.5})
    assert settings["model_kwargs"] == ["user", "u"]
    assert settings["extra_body"] == ["a", "b"]
    assert settings["stop"] == ["s"]
    assert settings_of(
        plain.model_copy(update={"extra_body": {"api_key": "k", "place": "p"}}), ChatOpenAI.__mro__[2], {}
    )["extra_body"] == ["api_key", "place", "p"]
    assert not any("key" in name or "base" in name or name == "model_name" for name in settings)


def test_what_opens_doors_is_told_apart_and_texts_under_such_a_name_are_texts(plain: ChatOpenAI) -> None:
    body = {"token": NAME, "secrets": {"a": ["b"]}, "api_key": "k-1", "max_tokens": "c"}
    model = plain.model_copy(update={"extra_body": body, "openai_organization": "org-1"})
    settings = settings_of(model, ChatOpenAI.__mro__[2], {"auth_token": "t-1"})
    assert settings["extra_body"] == ["token", NAME, "secrets", "a", "b", "api_key", "max_tokens"]
    assert sorted(settings["credentials"]) == ["c", "k-1", "org-1", "t-1"]
    keys = ("aws_access_key_id", "subscription_key", "x-api-key")
    assert set(settings_of(plain, ChatOpenAI.__mro__[2], dict.fromkeys(keys, "x"))["credentials"]) >= {"x"}


def test_names_that_only_hold_the_letters_of_an_address_are_no_address(plain: ChatOpenAI) -> None:
    names = ["keywords", "database", "pathology", "curls", "knowledge_base", "client_name", "client", "data_model"]
    names += ["career_path", "home_region", "patient_type", "key_points"]
    addresses = ["api_base", "base_url", "hostname", "azure_endpoint", "client_options", "_type", "model", "proxies"]
    addresses += ["model_path", "api_version", "region_name", "azure_deployment", "groq_api_base", "client_kwargs"]
    settings = settings_of(plain, ChatOpenAI.__mro__[2], dict.fromkeys([*names, *addresses], "x"))
    assert set(settings) >= set(names)
    assert set(settings).isdisjoint(addresses)
