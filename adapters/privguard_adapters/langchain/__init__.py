"""The adapter for LangChain: chat models, embeddings and retrievers, and middleware for its agents."""

from typing import TYPE_CHECKING

from privguard_adapters.langchain.adapter import LangChainAdapter, adapter

if TYPE_CHECKING:
    from privguard_adapters.langchain.middleware import PrivguardMiddleware

__all__ = ["LangChainAdapter", "PrivguardMiddleware", "adapter"]


def __getattr__(name: str) -> object:
    # LangChain itself is imported where it is used: models alone need its core only.
    if name == "PrivguardMiddleware":
        from privguard_adapters.langchain.middleware import PrivguardMiddleware

        return PrivguardMiddleware
    raise AttributeError(name)
