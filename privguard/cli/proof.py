"""Prove that the guard is on: canaries go in, none goes out, and all come back."""

from dataclasses import replace
from importlib.util import find_spec
from typing import Any

from privguard.cli.checks import Check, Status
from privguard.core.audit import Outcome
from privguard.core.errors import PrivguardError
from privguard.core.plan import Action, Plan
from privguard.guard import Guard
from privguard.testing import Canary, ListSink, ModelServer, Reply, echo, find_canaries

# A sort that rules alone find, and of each category whose floor no profile should lift.
CANARIES = (Canary.secret(417), Canary.card(417), Canary.email(417))
PROMPT = "Write to {2} about the card {1}; the deployment token is {0}.".format(*(each.value for each in CANARIES))
_REMEDY = "do not send anything with this installation; run again with --json and report what it prints"


def prove_by_hand(guard: Guard, *, target: str, profile: str | None) -> Check:
    """Minimize the canaries by hand and restore an echo of them."""
    from privguard.api import minimize

    name, sink = "guard by hand", ListSink()
    try:
        with minimize(PROMPT, target=target, profile=profile, guard=_recording(guard, sink)) as exchange:
            restored = exchange.restore(exchange.outgoing)
            leaked, allowed = _leaks(exchange.outgoing.encode(), exchange.plan)
    except Exception as error:  # noqa: BLE001 - whatever it is, the guard is not on; its text is not shown
        return _failed(name, error)
    return _judge(name, leaked=leaked, allowed=allowed, restored=restored, sink=sink)


def prove_with_sdk(guard: Guard, *, target: str, profile: str | None) -> Check:
    """Send the canaries with the real SDK, wrapped, to a server on this machine that records every byte."""
    name, sink = "guard on OpenAI", ListSink()
    if find_spec("openai") is None:
        return Check(
            name=name, status=Status.ABSENT, detail="the SDK is not installed: pip install 'privguard[openai]'"
        )
    try:
        with ModelServer(Reply(speak=echo)) as server:
            restored, plan = _ask(server, _recording(guard, sink), target, profile)
            leaked, allowed = _leaks(server.wire, plan)
    except Exception as error:  # noqa: BLE001 - likewise
        return _failed(name, error)
    return _judge(name, leaked=leaked, allowed=allowed, restored=restored, sink=sink)


def _ask(server: ModelServer, guard: Guard, target: str, profile: str | None) -> tuple[str, Plan]:
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
    plan = minimize(PROMPT, target=target, profile=profile, guard=_recording(guard, ListSink())).plan
    return done.choices[0].message.content or "", plan


def _recording(guard: Guard, sink: ListSink) -> Guard:
    return Guard(replace(guard.parts, sink=sink))


def _leaks(blob: bytes, plan: Plan) -> tuple[int, int]:
    """Count the canaries that are in `blob` against the plan, and those that the profile lets out."""
    kept = {PROMPT[each.span.start : each.span.end] for each in plan if each.action is Action.RETAIN}
    found = find_canaries(blob, CANARIES)
    allowed = sum(leak.canary.value in kept and leak.canary is not CANARIES[0] for leak in found)
    return len(found) - allowed, allowed


def _judge(name: str, *, leaked: int, allowed: int, restored: str, sink: ListSink) -> Check:
    if leaked:
        detail = f"{leaked} of {len(CANARIES)} canaries left in clear"
        return Check(name=name, status=Status.FAIL, detail=detail, remedy=_REMEDY)
    if restored != PROMPT:
        return Check(name=name, status=Status.FAIL, detail="the reply was not restored", remedy=_REMEDY)
    if not sink.records or sink.records[0].outcome is not Outcome.DONE:
        return Check(name=name, status=Status.FAIL, detail="no audit record was written", remedy=_REMEDY)
    if allowed:
        detail = f"on; {allowed} of {len(CANARIES)} canaries left as this profile allows, all came back"
        return Check(name=name, status=Status.NOTE, detail=detail)
    detail = f"on: {len(CANARIES)} canaries went in, none left, all came back"
    return Check(name=name, status=Status.OK, detail=detail)


def _failed(name: str, error: Exception) -> Check:
    detail = f"{type(error).__name__}: {error}" if isinstance(error, PrivguardError) else type(error).__name__
    return Check(name=name, status=Status.FAIL, detail=detail, remedy=_REMEDY)
