"""Protected embeddings: what is embedded is minimized, documents and queries alike."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from langchain_core.embeddings import Embeddings

from privguard_adapters.guarding import Guarding
from privguard_adapters.langchain.inputs import InputCall, aopen_input, open_input
from privguard_adapters.langchain.seam import Value
from privguard_adapters.langchain.twins import Protected, plain, protect

Vector: TypeAlias = list[float]

_POSITIONAL = "arguments"


class ProtectedEmbeddings(Protected):
    """What stands before the methods of embeddings."""

    __slots__ = ()

    def embed_documents(self, texts: list[str], *args: Value, **kwargs: Value) -> list[Vector]:
        """Embed what may be sent of texts."""
        asked = open_input(self, "embeddings", list(texts), _options(args, kwargs), Embeddings)
        with asked.call.watched():
            given, options = _given(asked)
            found: list[Vector] = plain(self).embed_documents(asked.texts, *given, **options)
        asked.call.finish()
        return found

    def embed_query(self, text: str, *args: Value, **kwargs: Value) -> Vector:
        """Embed what may be sent of a text."""
        asked = open_input(self, "embeddings", text, _options(args, kwargs), Embeddings)
        with asked.call.watched():
            given, options = _given(asked)
            found: Vector = plain(self).embed_query(asked.texts, *given, **options)
        asked.call.finish()
        return found

    async def aembed_documents(self, texts: list[str], *args: Value, **kwargs: Value) -> list[Vector]:
        """Embed what may be sent of texts."""
        asked = await aopen_input(self, "embeddings", list(texts), _options(args, kwargs), Embeddings)
        with asked.call.watched():
            given, options = _given(asked)
            found: list[Vector] = await plain(self).aembed_documents(asked.texts, *given, **options)
        asked.call.finish()
        return found

    async def aembed_query(self, text: str, *args: Value, **kwargs: Value) -> Vector:
        """Embed what may be sent of a text."""
        asked = await aopen_input(self, "embeddings", text, _options(args, kwargs), Embeddings)
        with asked.call.watched():
            given, options = _given(asked)
            found: Vector = await plain(self).aembed_query(asked.texts, *given, **options)
        asked.call.finish()
        return found


def protected_class(original: type, guard: Guarding) -> type:
    """Derive a protected class from that of embeddings."""
    return protect(original, ProtectedEmbeddings, guard)


def _options(args: Sequence[Value], kwargs: Mapping[str, Value]) -> dict[str, Value]:
    return {**kwargs, _POSITIONAL: list(args)} if args else dict(kwargs)


def _given(asked: InputCall) -> tuple[list[Value], dict[str, Value]]:
    options = dict(asked.options)
    return options.pop(_POSITIONAL, []), options
