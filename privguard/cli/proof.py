"""Prove that the guard is on: canaries go in, none goes out, and all come back but what the profile keeps."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import Any

from privguard.cli.check import Check, Status
from privguard.core.audit import Outcome
from privguard.core.edits import Edit, splice
from privguard.core.entities import EntityType
from privguard.core.errors import ConfigError, PrivguardError
from privguard.core.plan import Action
from privguard.guard import Exchange, Guard
from privguard.testing import Canary, ListSink, ModelServer, Reply, echo, find_canaries

# A sort that rules alone find, and of each category whose floor no profile should lift.
CANARIES = (Canary.secret(417), Canary.card(417), Canary.email(417))
PROMPT = "Write to {2} about the card {1}; the deployment token is {0}.".format(*(each.value for each in CANARIES))
_MEND = "mend this setting; nothing is sent until then"
_REMEDY = "do not send anything with this installation; run again with --json and report what it prints"


def prove_by_hand(guard: Guard, *, target: str, profile: str | None) -> Check:
    """Minimize the canaries by hand and restore an echo of them."""
    from privguard.api import minimize

    name, sink = "guard by hand", ListSink()
    try:
        with minimize(PROMPT, target=target, profile=profile, guard=_recording(guard, sink)) as exchange:
            seen = _seen(exchange, exchange.outgoing.encode(), exchange.restore(exchange.outgoing))
    except Exception as error:  # noqa: BLE001 - whatever it is, the guard is not on; its text is not shown
        return _failed(name, error)
    return _judge(name, seen, sink)


def prove_with_sdk(guard: Guard, *, target: str, profile: str | None) -> Check:
    """Send the canaries with the real SDK, wrapped, to a server on this machine that records every byte."""
    name, sink = "guard on OpenAI", ListSink()
    if find_spec("openai") is None:
        return Check(
            name=name, status=Status.ABSENT, detail="the SDK is not installed: pip install 'privguard[openai]'"
        )
    try:
        with ModelServer(Reply(speak=echo)) as server:
            seen = _ask(server, _recording(guard, sink), target, profile)
    except Exception as error:  # noqa: BLE001 - likewise
        return _failed(name, error)
    return _judge(name, seen, sink)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """What was seen on both sides of the guard."""

    leaked: tuple[str, ...]  # the types of the canaries that left against the plan
    allowed: tuple[str, ...]  # and of those that the profile lets out
    restored: bool  # whether the caller got all back but the secrets that the profile keeps from the user
    kept: int  # these


def _ask(server: ModelServer, guard: Guard, target: str, profile: str | None) -> _Seen:
    import openai

    from privguard.api import minimize, wrap

    headers = {} if profile is None else {"x-privguard-profile": profile}
    messages: Any = [{"role": "user", "content": PROMPT}]
    with (
        openai.DefaultHttpxClient(trust_env=False) as http_client,  # a proxy must not see a loopback address
        openai.OpenAI(api_key="none", base_url=server.base_url, http_client=http_client, max_retries=0) as client,
    ):
        wrapped = wrap(client, guard)
        done = wrapped.chat.completions.create(model=target, messages=messages, extra_headers=headers)
    exchange = minimize(PROMPT, target=target, profile=profile, guard=_recording(guard, ListSink()))
    return _seen(exchange, server.wire, done.choices[0].message.content or "")


def _recording(guard: Guard, sink: ListSink) -> Guard:
    return Guard(replace(guard.parts, sink=sink))


def _seen(exchange: Exchange[str], sent: bytes, restored: str) -> _Seen:
    kept = {PROMPT[each.span.start : each.span.end] for each in exchange.plan if each.action is Action.RETAIN}
    found = {leak.canary for leak in find_canaries(sent, CANARIES)}
    allowed = {canary for canary in found if canary.value in kept and canary is not CANARIES[0]}
    withheld = [
        Edit(start=each.span.start, end=each.span.end, replacement=each.replacement)
        for each in exchange.plan
        if each.span.kind is EntityType.SECRET and each.replacement and not exchange.profile.restore_secrets
    ]
    return _Seen(
        leaked=_types(found - allowed),
        allowed=_types(allowed),
        restored=restored == splice(PROMPT, withheld),
        kept=len(withheld),
    )


def _judge(name: str, seen: _Seen, sink: ListSink) -> Check:
    if seen.leaked:
        detail = f"{len(seen.leaked)} of {len(CANARIES)} canaries left in clear: {', '.join(seen.leaked)}"
        return Check(name=name, status=Status.FAIL, detail=detail, remedy=_REMEDY)
    if not seen.restored:
        return Check(name=name, status=Status.FAIL, detail="the reply was not restored", remedy=_REMEDY)
    if not sink.records or sink.records[0].outcome is not Outcome.DONE:
        return Check(name=name, status=Status.FAIL, detail="no audit record was written", remedy=_REMEDY)
    back = "all came back"
    if seen.kept:
        back = f"{len(CANARIES) - seen.kept} came back, secrets withheld as this profile says: {seen.kept}"
    if seen.allowed:
        left = f"{len(seen.allowed)} of {len(CANARIES)} canaries left as this profile allows"
        detail = f"on; {left} ({', '.join(seen.allowed)}), {back}"
        return Check(name=name, status=Status.NOTE, detail=detail)
    return Check(name=name, status=Status.OK, detail=f"on: {len(CANARIES)} canaries went in, none left, {back}")


def _types(canaries: Collection[Canary]) -> tuple[str, ...]:
    return tuple(sorted(canary.kind.value for canary in canaries))


def _failed(name: str, error: Exception) -> Check:
    detail = f"{type(error).__name__}: {error}" if isinstance(error, PrivguardError) else type(error).__name__
    remedy = _MEND if isinstance(error, ConfigError) else _REMEDY
    return Check(name=name, status=Status.FAIL, detail=detail, remedy=remedy)
