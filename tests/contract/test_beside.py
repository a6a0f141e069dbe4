"""What stands beside the conversation, on the wire of the OpenAI SDK, with the rules of the default guard."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import openai
import pytest

from privguard.core.audit import Outcome
from privguard.core.entities import EntityType
from privguard.core.errors import ConfigError, ProtectionError, UnknownContentError
from privguard.detect.composite import CompositeDetector, rules_detector
from privguard.guard import Guard, Parts
from privguard.replacements.key import Key
from privguard.testing import Canary, FakeAbstractor, FakeDetector, FakeNeed, FakeProfiles, ListSink, ModelServer
from privguard_adapters.openai import adapter

NAMES = ("Tobias Kernberg", "Uwe Koch")
USER: Any = [{"role": "user", "content": "Write to Tobias Kernberg and Uwe Koch."}]
PLAIN: Any = [{"role": "user", "content": "Say hello."}]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture
def sink() -> ListSink:
    return ListSink()


@pytest.fixture
def client(server: ModelServer, sink: ListSink) -> Iterator[openai.OpenAI]:
    guard = Guard(
        Parts(
            detector=CompositeDetector(FakeDetector(dict.fromkeys(NAMES, EntityType.PERSON)), rules_detector()),
            scanner=rules_detector(),
            need=FakeNeed(b_redact=-9.0, b_abstract=-9.0),
            abstractor=FakeAbstractor(),
            profiles=FakeProfiles(),
            sink=sink,
            key=Key.from_text("correct horse battery staple"),
        )
    )
    with openai.OpenAI(api_key="key", base_url=server.base_url, max_retries=0) as plain:
        yield adapter.wrap(plain, guard)


WORDS = ["kernberg", "tkernberg", "Kernberg-7", "koch", "ukoch", "uwe", "Tobias%20Kernberg"]


@pytest.mark.parametrize("word", WORDS, ids=range(len(WORDS)))
def test_a_word_of_a_hidden_name_leaves_in_no_header_and_no_query(
    client: openai.OpenAI, server: ModelServer, word: str
) -> None:
    extras: list[dict[str, Any]] = [{"extra_headers": {"X-User": word}}, {"extra_query": {"owner": word}}]
    for extra in extras:
        with pytest.raises(UnknownContentError):
            client.chat.completions.create(model="m", messages=USER, **extra)
    assert server.requests == ()
    client.chat.completions.create(model="m", messages=PLAIN, extra_headers={"X-User": word})
    assert dict(server.last.headers)["x-user"] == word


@pytest.mark.parametrize("word", WORDS[:-1], ids=range(len(WORDS) - 1))
def test_a_word_of_a_hidden_name_is_replaced_in_fields_beside_the_conversation(
    client: openai.OpenAI, server: ModelServer, word: str
) -> None:
    metadata = {"owner": word, "note": f"please ask {word} about it"}
    client.chat.completions.create(model="m", messages=USER, user=word, safety_identifier=word, metadata=metadata)
    sent = server.last.json()
    left = json.dumps([sent["user"], sent["safety_identifier"], sent["metadata"]])
    assert left.count("PERSON_") == 4
    assert word.lower() not in left.lower()


HEADERS = [
    ("X-Bsn", "123456782"),
    ("X-Patient-Name", "Reik"),
    ("x-patient-name", "ada_reik"),
    ("X-Password", "hunter2"),
    ("X-Doctor-Authorization", "Kernberg"),
    ("ssn", "123456789"),
    ("iban", "DE89370400440532013001"),
    ("dbPassword", "hunter2"),
]


@pytest.mark.parametrize(("name", "value"), HEADERS, ids=range(len(HEADERS)))
def test_what_a_header_or_a_parameter_is_called_tells_what_it_holds(
    client: openai.OpenAI, server: ModelServer, name: str, value: str
) -> None:
    with pytest.raises(UnknownContentError) as caught:
        client.chat.completions.create(model="m", messages=USER, extra_headers={name: value})
    assert not any(part.lower() in str(caught.value).lower() for part in (name, value))
    assert server.requests == ()


@pytest.mark.parametrize(("name", "value"), HEADERS, ids=range(len(HEADERS)))
def test_the_same_goes_for_parameters_and_what_can_be_replaced_is(
    client: openai.OpenAI, server: ModelServer, name: str, value: str
) -> None:
    with pytest.raises(UnknownContentError):
        client.chat.completions.create(model="m", messages=USER, extra_query={name: value})
    assert server.requests == ()
    if "_" in value:  # a name in lower case, which nothing in a document announces
        return
    client.chat.completions.create(model="m", messages=USER, metadata={name: value}, extra_body={"case": {name: value}})
    sent = server.last.json()
    assert value not in json.dumps([sent["metadata"], sent["case"]])


USUAL = {
    "X-Request-Id": "5f3e8a9c-1b2d-4e5f-8a9b-0c1d2e3f4a5b",
    "Helicone-Auth": "Bearer sk-helicone-4711",
    "Helicone-Session-Name": "Onboarding",
    "x-portkey-virtual-key": "openai-virtual-key-a1b2c3",
    "X-Auth-Token": "0a1b2c3d4e5f60718293a4b5c6d7e8f9",
    "X-Title": "Notes",
    "HTTP-Referer": "https://app.example",
    "X-App-Name": "Notes",
    "X-Tenant": "acme",
    "Idempotency-Key": "stainless-python-retry-5f3e8a9c-1b2d-4e5f-8a9b-0c1d2e3f4a5b",
}


def test_headers_of_gateways_and_programs_leave_as_they_are(client: openai.OpenAI, server: ModelServer) -> None:
    client.chat.completions.create(
        model="m", messages=USER, extra_headers=USUAL, extra_query={"api-version": "2024-10-21", "limit": "20"}
    )
    left = dict(server.last.headers)
    assert {name: left[name.lower()] for name in USUAL} == USUAL


@pytest.mark.parametrize("number", range(3))
def test_no_record_holds_a_secret_in_the_place_of_a_model_a_route_or_a_profile(
    client: openai.OpenAI, server: ModelServer, sink: ListSink, number: int
) -> None:
    secret = (Canary.secret(), Canary.iban(), Canary.card())[number].value
    tools: Any = [{"type": "function", "function": {"name": secret, "parameters": {}}}]
    calls: list[Callable[[], object]] = [
        lambda: client.chat.completions.create(model=secret, messages=PLAIN),
        lambda: client.embeddings.create(model=secret, input="hello"),
        lambda: client.models.retrieve(secret),
        lambda: client.get(f"/{secret}", cast_to=object),
        lambda: client.chat.completions.create(
            model="m", messages=PLAIN, extra_headers={"x-privguard-profile": secret}
        ),
        lambda: client.chat.completions.create(model=secret, messages=PLAIN, tools=tools),
    ]
    for call in calls:
        with pytest.raises((ProtectionError, ConfigError)) as caught:
            call()
        assert secret not in str(caught.value)
    assert server.requests == ()
    assert {record.outcome for record in sink.records} == {Outcome.BLOCKED}
    assert len(sink.records) == len(calls)
    assert secret not in repr(sink.records)
