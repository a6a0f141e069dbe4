"""The scenes of the demo: run the wrapped client and note what can be seen on each side of the guard."""

import json
import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

from privguard.audit import Verdict
from privguard.core.audit import AuditRecord
from privguard.core.entities import EntityType
from privguard.core.errors import ConfigError
from privguard.core.plan import Action, Decision, Plan
from privguard.core.targets import TargetModel
from privguard.guard import Exchange, Guard
from privguard.testing import (
    Canary,
    ModelServer,
    Recorded,
    Reply,
    Said,
    call_tool,
    draft_letter,
    find_canaries,
    find_placeholders,
)

LETTER = (
    "Draft a letter to my health insurer. My name is Ada Roth, born on 14 March 1987, policy number PN-4471-0382. "
    "They declined my claim of $8,325.40 for a treatment in Austin on 10 June 2026. "
    "My address is ada.roth@mail.example, my phone +1 202 555 0143. "
    f"(The portal token {Canary.secret(417).value} got into my notes, ignore it.)"
)
QUESTION = "What is 15 % of $8,325.40? For my own files: I am Ada Roth, policy number PN-4471-0382."
CALLBACK = (
    "Book a callback for Ada Roth, policy number PN-4471-0382, phone +1 202 555 0143, mail ada.roth@mail.example."
)
SCRIPTED_MODEL = "qwen2.5-7b-instruct"  # the name alone: it decides the capability
REAL_MODEL = "gpt-5-mini"
OTHERS = ("gpt-5", "gpt-4.1", "claude-sonnet-4", "qwen2.5-7b-instruct", "qwen2.5-0.5b-instruct")
TOOL = {
    "type": "function",
    "function": {
        "name": "book_callback",
        "description": "Book a callback.",
        "parameters": {
            "type": "object",
            "properties": {name: {"type": "string"} for name in ("name", "phone", "email", "policy_number")},
            "required": ["name", "phone", "email", "policy_number"],
        },
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One call: both sides of the guard."""

    title: str
    prompt: str = field(repr=False)
    decisions: tuple[Decision, ...]
    left: str = field(repr=False)  # what stood in the request
    wire: bytes = field(repr=False)  # every byte of the request; empty where it cannot be seen
    raw: tuple[str, ...] = field(repr=False)  # what came back, by event; empty where it cannot be seen
    got: tuple[str, ...] = field(repr=False)  # what the caller got, by event

    @property
    def values(self) -> tuple[str, ...]:
        """Return the originals that must not leave."""
        return tuple(
            self.prompt[each.span.start : each.span.end] for each in self.decisions if each.action is not Action.RETAIN
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One promise and whether it held."""

    promise: str
    held: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """Everything that the demo shows."""

    host: str  # "" for the scripted server
    target: TargetModel
    others: tuple[Plan, ...]  # of the first prompt, for other targets
    scenes: tuple[Scene, ...]
    records: tuple[AuditRecord, ...]
    verdict: Verdict
    checks: tuple[Check, ...]


def play(*, target: str | None, scripted: bool, model: str | None = None, device: str | None = None) -> Play:
    """Run all scenes.

    Args:
        target: the model that is asked; default: one for each kind of server.
        scripted: whether to stay on this machine whatever the environment names.
        model: what finds values, as in `load_guard`.
        device: where that runs.

    Raises:
        ConfigError: the SDK has no key for the provider that the environment names.
        PrivguardError: whatever the guard refuses.
    """
    from privguard.api import load_guard
    from privguard.audit import verify_file

    live = not scripted and bool(os.environ.get("OPENAI_BASE_URL") or os.environ.get("OPENAI_API_KEY"))
    asked = target or (REAL_MODEL if live else SCRIPTED_MODEL)
    with TemporaryDirectory(prefix="privguard-demo-") as folder:
        log = Path(folder) / "audit.sqlite"
        guard = load_guard(audit=log, model=model, device=device, vault="off")
        with closing(guard.parts.sink), _real_provider() if live else _scripted_server() as provider:
            stage = _Stage(provider, guard, asked)
            stage.minimize(LETTER)  # loads what is loaded once, so that the times of the record are those of a request
            scenes = (_letter(stage), _stream(stage), _tool_call(stage))
            known = stage.minimize(LETTER).plan.target
            others = tuple(stage.minimize(LETTER, target=other).plan for other in OTHERS)
        records, verdict = _records(log), verify_file(log)
    checks = tuple(check_promises(scenes, verdict, len(records), scripted=not live))
    return Play(
        host=provider.host, target=known, others=others, scenes=scenes, records=records, verdict=verdict, checks=checks
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Provider:
    """A plain client, and the server behind it where that is ours."""

    client: Any
    server: ModelServer | None
    host: str


@contextmanager
def _scripted_server() -> Iterator[_Provider]:
    import openai

    with (
        ModelServer(_script) as server,
        openai.DefaultHttpxClient(trust_env=False) as http_client,  # a proxy must not see a loopback address
        openai.OpenAI(api_key="none", base_url=server.base_url, http_client=http_client) as client,
    ):
        yield _Provider(client=client, server=server, host="")


@contextmanager
def _real_provider() -> Iterator[_Provider]:
    import openai

    try:
        client = openai.OpenAI()
    except openai.OpenAIError:
        raise ConfigError("OPENAI_BASE_URL is set and OPENAI_API_KEY is not; set both, or use --scripted") from None
    with client:
        yield _Provider(client=client, server=None, host=urlsplit(str(client.base_url)).hostname or "an unknown host")


def _script(request: Recorded) -> Reply:
    body = request.json()
    if body.get("tools"):
        return Reply(speak=call_tool)
    return Reply(speak=_sum_up, delta_every=9) if body.get("stream") else Reply(speak=draft_letter)


def _sum_up(request: Recorded) -> Said:
    who, policy = (request.placeholder(kind) or kind.noun for kind in (EntityType.PERSON, EntityType.RECORD_ID))
    return Said(text=f"{who} objects to a refusal under policy {policy} and asks the insurer to look at it again.")


class _Stage:
    """The wrapped client, and a view of both sides of the guard."""

    def __init__(self, provider: _Provider, guard: Guard, target: str) -> None:
        from privguard.api import wrap

        self._server, self._guard, self._target = provider.server, guard, target
        self._client: Any = wrap(provider.client, guard)

    def ask(self, prompt: str, **more: Any) -> Any:  # noqa: ANN401 - the SDK's own arguments and result
        """Call the model with one message of a user."""
        messages = [{"role": "user", "content": prompt}]
        return self._client.chat.completions.create(model=self._target, messages=messages, **more)

    def minimize(self, prompt: str, *, target: str = "") -> Exchange[str]:
        """Minimize by hand what the client minimizes: the same key and settings give the same text."""
        from privguard.api import minimize

        return minimize(prompt, target=target or self._target, guard=self._guard)

    def last_reply(self) -> bytes | None:
        """Return the last reply as the server sent it, None when the server is not ours."""
        return self._server.sent[-1] if self._server else None

    def scene(self, title: str, prompt: str, raw: tuple[str, ...], got: tuple[str, ...]) -> Scene:
        """Note what was seen of a call."""
        exchange = self.minimize(prompt)
        request = self._server.last if self._server else None
        return Scene(
            title=title,
            prompt=prompt,
            decisions=tuple(exchange.plan),
            left=request.json()["messages"][0]["content"] if request else exchange.outgoing,
            wire=request.wire if request else b"",
            raw=raw,
            got=got,
        )


def _letter(stage: _Stage) -> Scene:
    got = stage.ask(LETTER).choices[0].message.content or ""
    reply = stage.last_reply()
    raw = (json.loads(reply)["choices"][0]["message"]["content"],) if reply else ()
    return stage.scene("a letter", LETTER, raw, (got,))


def _stream(stage: _Stage) -> Scene:
    events = stage.ask(QUESTION, stream=True)
    got = tuple(text for event in events for choice in event.choices if (text := choice.delta.content))
    return stage.scene("streamed", QUESTION, tuple(_deltas(stage.last_reply() or b"")), got)


def _tool_call(stage: _Stage) -> Scene:
    message = stage.ask(CALLBACK, tools=[TOOL], tool_choice="required").choices[0].message
    got = tuple(call.function.arguments for call in message.tool_calls or ())
    reply = stage.last_reply()
    calls = json.loads(reply)["choices"][0]["message"]["tool_calls"] if reply else ()
    return stage.scene("a tool call", CALLBACK, tuple(call["function"]["arguments"] for call in calls), got)


def _deltas(reply: bytes) -> Iterator[str]:
    for event in reply.split(b"\n\n"):
        if event.startswith(b"data: {"):
            for choice in json.loads(event.removeprefix(b"data: "))["choices"]:
                if text := choice["delta"].get("content"):
                    yield text


def _records(log: Path) -> tuple[AuditRecord, ...]:
    from privguard.audit import read_records

    return tuple(read_records(log))


def check_promises(scenes: tuple[Scene, ...], verdict: Verdict, records: int, *, scripted: bool) -> Iterator[Check]:
    """Check what the demo claims; a real provider's side of the wire cannot be seen."""
    if scripted:
        leaks = [leak for scene in scenes for leak in find_canaries(scene.wire, scene.values)]
        yield Check(promise="no original on the wire, in any encoding", held=not leaks)
        restored = all(_is_restored(scene) for scene in scenes)
        yield Check(promise="every placeholder of the replies came back as its original", held=restored)
    else:
        left = [found for scene in scenes for found in find_placeholders("".join(scene.got))]
        # A profile keeps secrets from the user unless it says otherwise.
        whole = all(found.kind is EntityType.SECRET for found in left)
        yield Check(promise="no placeholder reached the caller, but for those of secrets", held=whole)
    yield Check(promise="the arguments of the tool call are valid JSON", held=_is_json(scenes[-1].got))
    yield Check(
        promise=f"the audit log holds {len(scenes)} records, and its chain is whole",
        held=verdict.ok and records == len(scenes),
    )


def _is_restored(scene: Scene) -> bool:
    used = {found.placeholder_id for found in find_placeholders("".join(scene.raw))}
    got = "".join(scene.got)
    values = [scene.prompt[each.span.start : each.span.end] for each in scene.decisions if each.placeholder_id in used]
    return bool(used) and not find_placeholders(got) and all(value in got for value in values)


def _is_json(documents: tuple[str, ...]) -> bool:
    try:
        return bool([json.loads(document) for document in documents])
    except ValueError:
        return False
