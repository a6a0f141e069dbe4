"""LiteLLM, protected: the same functions with the same arguments and replies, in place of those of `litellm`."""

from privguard_adapters.litellm.functions import (
    LiteLLM,
    acompletion,
    aembedding,
    anthropic_messages,
    aresponses,
    atext_completion,
    completion,
    embedding,
    responses,
    text_completion,
)

__all__ = [
    "LiteLLM",
    "acompletion",
    "aembedding",
    "anthropic_messages",
    "aresponses",
    "atext_completion",
    "completion",
    "embedding",
    "responses",
    "text_completion",
]
