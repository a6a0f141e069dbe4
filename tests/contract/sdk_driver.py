"""What drivers of the SDKs have in common: how a client is opened, asked and read as a stream, blocking or awaited."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import copy_context
from functools import partial
from types import ModuleType
from typing import Any

from privguard.guard import Guard
from tests.contract.driver import Answer, Client


class SdkDriver:
    """One class of clients of an SDK, over one HTTP library."""

    retries_below_guard = False
    name: str

    def __init__(self, name: str, client_class: type, adapter: Any, module: ModuleType) -> None:  # noqa: ANN401 - of any SDK
        self.name, self._adapter, self._module = name, adapter, module
        self._client_class: Any = client_class

    def plain(self, base_url: str, http_client: Answer, max_retries: int) -> Client:
        """Make a client that nothing protects."""
        return self._client_class(api_key="key", base_url=base_url, http_client=http_client, max_retries=max_retries)

    def protected(self, plain: Client, guard: Guard | None) -> Client:
        """Protect a client, where a guard is given."""
        return plain if guard is None else self._adapter.wrap(plain, guard)

    def create(self, client: Client, prompt: str, options: dict[str, Any]) -> Answer:
        """Call the method that asks."""
        raise NotImplementedError


class Blocking(SdkDriver):
    """A client that blocks."""

    @contextmanager
    def open(self, base_url: str, guard: Guard | None, *, max_retries: int = 0) -> Iterator[Answer]:
        with self._module.Client() as http_client:
            yield self.protected(self.plain(base_url, http_client, max_retries), guard)

    def ask(self, client: Client, prompt: str, **options: Answer) -> Answer:
        return self.create(client, prompt, options)

    def stream(self, client: Client, prompt: str, **options: Answer) -> Iterator[Answer]:
        with self.create(client, prompt, options | {"stream": True}) as events:
            yield from events


class Awaited(SdkDriver):
    """A client that is awaited, with a loop of its own."""

    @contextmanager
    def open(self, base_url: str, guard: Guard | None, *, max_retries: int = 0) -> Iterator[Answer]:
        with asyncio.Runner() as runner:
            http_client = self._module.AsyncClient()
            client = self.protected(self.plain(base_url, http_client, max_retries), guard)
            client.__dict__["runner"] = runner
            yield client
            runner.run(http_client.aclose())

    def ask(self, client: Client, prompt: str, **options: Answer) -> Answer:
        return client.runner.run(self.create(client, prompt, options), context=copy_context())

    def stream(self, client: Client, prompt: str, **options: Answer) -> Iterator[Answer]:
        run = partial(client.runner.run, context=copy_context())
        events = run(self.create(client, prompt, options | {"stream": True}))
        end = object()

        async def following() -> object:
            return await anext(events._iterator, end)

        try:
            while (event := run(following())) is not end:
                yield event
        finally:
            run(events.close())
