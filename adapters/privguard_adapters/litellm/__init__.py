"""LiteLLM, protected: the same functions with the same arguments and replies, in place of those of `litellm`."""

from privguard_adapters.litellm.functions import (
    LiteLLM,
    acompletion,
    aembedding,
    atext_completion,
    completion,
    embedding,
    text_completion,
)

__all__ = [
    "LiteLLM",
    "acompletion",
    "aembedding",
    "atext_completion",
    "completion",
    "embedding",
    "text_completion",
]
