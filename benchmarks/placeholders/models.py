"""The models that are asked: a GGUF file in this process, or any server of the OpenAI API."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

Messages = Sequence[dict[str, str]]
Ask = Callable[[Messages], str]

MAX_TOKENS = 160


def open_gguf(path: Path, threads: int, *, max_tokens: int = MAX_TOKENS) -> Ask:
    """Load a file with llama-cpp-python, which is not among our dependencies: greedy, so the same reply every time."""
    from llama_cpp import Llama  # type: ignore[import-not-found, unused-ignore]

    model = Llama(str(path), n_ctx=1024, n_threads=threads, n_threads_batch=threads, verbose=False)

    def ask(messages: Messages) -> str:
        model.reset()
        reply = model.create_chat_completion(messages=list(messages), temperature=0.0, max_tokens=max_tokens)
        return str(reply["choices"][0]["message"]["content"] or "")

    return ask


def open_server(base_url: str, model: str, *, max_tokens: int = MAX_TOKENS) -> Ask:
    """Ask a server; the key is that of `OPENAI_API_KEY`, if one is needed."""
    from openai import OpenAI

    client = OpenAI(base_url=base_url, api_key=os.environ.get("OPENAI_API_KEY", "none"))

    def ask(messages: Messages) -> str:
        reply = client.chat.completions.create(
            model=model,
            messages=list(messages),  # type: ignore[arg-type] # plain dictionaries are what it takes
            temperature=0.0,
            max_tokens=max_tokens,
        )
        return reply.choices[0].message.content or ""

    return ask
