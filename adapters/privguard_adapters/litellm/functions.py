"""LiteLLM's functions, protected: behind the guard of the process, or behind one of your own."""

from typing import Any

from privguard.api import process_guard
from privguard_adapters.guarding import Guarding
from privguard_adapters.litellm.calls import Calls
from privguard_adapters.litellm.opening import load


class LiteLLM:
    """The functions of LiteLLM behind one guard."""

    def __init__(self, guard: Guarding | None = None) -> None:
        """Stand behind a guard.

        Args:
            guard: default: the one that calls without one share in this process.
        """
        self._calls = Calls(process_guard() if guard is None else guard, load)

    def completion(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - LiteLLM's own
        """Call `litellm.completion`, protected."""
        return self._calls.call("completion", *args, **kwargs)

    async def acompletion(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - likewise
        """Call `litellm.acompletion`, protected."""
        return await self._calls.acall("acompletion", *args, **kwargs)

    def text_completion(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - likewise
        """Call `litellm.text_completion`, protected."""
        return self._calls.call("text_completion", *args, **kwargs)

    async def atext_completion(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - likewise
        """Call `litellm.atext_completion`, protected."""
        return await self._calls.acall("atext_completion", *args, **kwargs)

    def embedding(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - likewise
        """Call `litellm.embedding`, protected."""
        return self._calls.call("embedding", *args, **kwargs)

    async def aembedding(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - likewise
        """Call `litellm.aembedding`, protected."""
        return await self._calls.acall("aembedding", *args, **kwargs)

    def responses(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - likewise
        """Call `litellm.responses`, protected."""
        return self._calls.call("responses", *args, **kwargs)

    async def aresponses(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - likewise
        """Call `litellm.aresponses`, protected."""
        return await self._calls.acall("aresponses", *args, **kwargs)

    async def anthropic_messages(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - likewise
        """Call `litellm.anthropic_messages`, protected."""
        return await self._calls.acall("anthropic_messages", *args, **kwargs)


def completion(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - likewise
    """Call `litellm.completion`, protected."""
    return LiteLLM().completion(*args, **kwargs)


async def acompletion(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - likewise
    """Call `litellm.acompletion`, protected."""
    return await LiteLLM().acompletion(*args, **kwargs)


def text_completion(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - likewise
    """Call `litellm.text_completion`, protected."""
    return LiteLLM().text_completion(*args, **kwargs)


async def atext_completion(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - likewise
    """Call `litellm.atext_completion`, protected."""
    return await LiteLLM().atext_completion(*args, **kwargs)


def embedding(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - likewise
    """Call `litellm.embedding`, protected."""
    return LiteLLM().embedding(*args, **kwargs)


async def aembedding(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - likewise
    """Call `litellm.aembedding`, protected."""
    return await LiteLLM().aembedding(*args, **kwargs)


def responses(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - likewise
    """Call `litellm.responses`, protected."""
    return LiteLLM().responses(*args, **kwargs)


async def aresponses(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - likewise
    """Call `litellm.aresponses`, protected."""
    return await LiteLLM().aresponses(*args, **kwargs)


async def anthropic_messages(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - likewise
    """Call `litellm.anthropic_messages`, protected."""
    return await LiteLLM().anthropic_messages(*args, **kwargs)
