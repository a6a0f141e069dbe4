"""`client.privguard`: what would leave, and what has left last."""

import asyncio
import copy
from collections.abc import Iterator
from typing import Any

import openai
import pytest

import privguard
from privguard.core.audit import Outcome
from privguard.core.errors import ConfigError, UnknownContentError, UnprotectedRouteError
from privguard.guard import Guard, use
from privguard.testing import ListSink, ModelServer
from privguard_adapters.openai import adapter
from privguard_adapters.sessions import ClientSession

MESSAGES: Any = [{"role": "user", "content": "I am Ada Roth, ada@roth.example"}]
ASKS: dict[str, Any] = {"model": "gpt-5", "messages": MESSAGES}


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture
def client(server: ModelServer, real_guard: Guard) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(api_key="key", base_url=server.base_url) as plain:
        yield adapter.wrap(plain, real_guard)


def test_a_preview_is_exactly_what_leaves(client: openai.OpenAI, server: ModelServer, sink: ListSink) -> None:
    session = privguard.session(client)
    previews = [
        session.preview(**ASKS),
        session.preview("chat.completions.create", **ASKS),
        session.preview(client.chat.completions.create, **ASKS),
    ]
    assert server.requests == ()
    assert sink.records == []
    client.chat.completions.create(**ASKS)
    assert {preview.body for preview in previews} == {server.last.body}
    assert sink.records[0].route == previews[0].route
    assert len(sink.records[0].decisions) == len(list(previews[0].plan)) == 2


def test_a_preview_of_another_route_names_it(client: openai.OpenAI, server: ModelServer) -> None:
    session = privguard.session(client)
    for preview in (
        session.preview("embeddings.create", model="e", input="Ada Roth"),
        session.preview(client.embeddings.create, model="e", input="Ada Roth"),
    ):
        assert preview.route == "openai.embeddings"
        assert preview.outgoing["input"].startswith("[PERSON_")
    assert session.preview("completions.create", model="e", prompt="Ada Roth").route == "openai.completions"
    asked = session.preview(client.responses.create, model="m", input="Ada Roth", store=False, stream=True)
    assert (asked.route, asked.outgoing["stream"]) == ("openai.responses", True)
    assert asked.outgoing["input"].startswith("[PERSON_")
    assert server.requests == ()


def test_what_would_be_refused_is_refused(client: openai.OpenAI, server: ModelServer, sink: ListSink) -> None:
    session = privguard.session(client)
    with pytest.raises(UnprotectedRouteError):
        session.preview("images.generate", prompt="Ada Roth")
    with pytest.raises(UnknownContentError):
        session.preview(**ASKS, extra_headers={"x-note": "Ada Roth"})
    with pytest.raises(ConfigError):
        session.preview("realtime.connect", model="m")
    assert (server.requests, sink.records) == ((), [])


def test_the_profile_in_force_is_that_of_the_preview(client: openai.OpenAI) -> None:
    session = privguard.session(client)
    with use(privguard.Profile(id="other:1", name="other", gamma=0.5)):
        assert session.preview(**ASKS).plan.profile_id == "other:1"
    assert session.preview(**ASKS).plan.profile_id == "fake:1"


async def test_a_preview_of_an_async_client_needs_no_await(server: ModelServer, real_guard: Guard) -> None:
    async with openai.AsyncOpenAI(api_key="key", base_url=server.base_url) as plain:
        client = adapter.wrap(plain, real_guard)
        session = privguard.session(client)
        preview = session.preview(**ASKS)
        assert (await asyncio.to_thread(session.preview, client.chat.completions.create, **ASKS)).body == preview.body
        await client.chat.completions.create(**ASKS)
        assert server.last.body == preview.body
        last = session.last_exchange()
        assert last is not None
        assert last.ended
        assert repr(last) == repr(privguard.last_exchange())


def test_the_last_exchange_is_that_of_the_client_and_of_its_copies(client: openai.OpenAI, sink: ListSink) -> None:
    session = privguard.session(client)
    assert session.last_exchange() is None
    client.with_options(timeout=3).chat.completions.create(**ASKS)
    for each in (client, client.copy(), copy.copy(client)):
        last = privguard.session(each).last_exchange()
        assert last is not None
        assert last.record == sink.records[-1]
    with client.chat.completions.create(**ASKS, stream=True) as events:
        last = session.last_exchange()
        assert last is not None
        assert "open" in repr(last)
        list(events)
    assert last.record is not None
    assert last.record.outcome is Outcome.DONE
    with pytest.raises(UnprotectedRouteError):
        client.evals.list()
    last = session.last_exchange()
    assert last is not None
    assert "blocked" in repr(last)


def test_content_is_kept_only_from_keep_to_forget(client: openai.OpenAI) -> None:
    session = privguard.session(client)

    def shown() -> str:
        client.chat.completions.create(**ASKS)
        last = session.last_exchange()
        assert last is not None
        return last._repr_html_() + last.show(originals=True)._repr_html_()

    assert "Roth" not in shown() + repr(session)
    session.keep()
    html = shown()
    assert "I am <b" in html
    assert "Ada Roth" in html
    session.forget()
    last = session.last_exchange()
    assert last is not None
    assert "Roth" not in last.show(originals=True)._repr_html_()
    assert "Roth" not in shown()


def test_a_session_is_that_of_a_protected_client(client: openai.OpenAI, real_guard: Guard) -> None:
    session: object = privguard.session(client)
    assert isinstance(session, ClientSession)
    assert session.guard is real_guard
    with openai.OpenAI(api_key="key") as plain:
        for other in (plain, object(), 5):
            with pytest.raises(ConfigError, match=r"privguard\.wrap"):
                privguard.session(other)


def test_the_profile_of_a_header_is_that_of_the_preview(client: openai.OpenAI, server: ModelServer) -> None:
    session = privguard.session(client)
    asked = {**ASKS, "extra_headers": {"x-privguard-profile": "unheard"}}
    for call in (session.preview, client.chat.completions.create):
        with pytest.raises(ConfigError, match="profile"):
            call(**asked)
    assert server.requests == ()
