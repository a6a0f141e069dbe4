"""Which objects of LangChain are protected, and as what."""

import sys
from typing import Any, TypeVar

from privguard.core.errors import ConfigError
from privguard_adapters.guarding import Guarding

Client = TypeVar("Client")


class LangChainAdapter:
    """Protect chat models, embeddings and retrievers of LangChain."""

    def matches(self, client: object) -> bool:
        """Tell whether the client is one of them."""
        return bool(_kinds(client))

    def wrap(self, client: Client, guard: Guarding) -> Client:
        """Return a protected copy, of a class derived from that of the client; the one that is given stays as it is.

        What is protected already gets this guard instead: a call never passes two.

        Raises:
            ConfigError: its class cannot be derived from.
        """
        from privguard_adapters.langchain.twins import original_class, twin

        kinds = _kinds(client)
        if len(kinds) != 1:
            raise ConfigError("the client is several things of LangChain at once, and none of them can be protected")
        if kinds == ["chat"]:
            from privguard_adapters.langchain.chat import protected_class
        elif kinds == ["embeddings"]:
            from privguard_adapters.langchain.embeddings import protected_class
        else:
            from privguard_adapters.langchain.retriever import protected_class
        given: Any = client
        copied: Client = twin(given, protected_class(original_class(given), guard))
        return copied


adapter = LangChainAdapter()


def _kinds(client: object) -> list[str]:
    if "langchain_core" not in sys.modules:
        return []
    from langchain_core.embeddings import Embeddings
    from langchain_core.language_models import BaseChatModel
    from langchain_core.retrievers import BaseRetriever

    kinds = (("chat", BaseChatModel), ("embeddings", Embeddings), ("retriever", BaseRetriever))
    return [name for name, kind in kinds if isinstance(client, kind)]
