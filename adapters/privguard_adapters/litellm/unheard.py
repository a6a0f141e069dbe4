"""What LiteLLM's proxy tells its failure loggers of a request that the guardrail has not minimized: nothing of it.

Requests fail before a guardrail sees them, for a wrong key or a budget; and some routes tell of a request that failed
at the provider as it came, not as it left. This stands before all loggers, and empties what they are told.
"""

from collections.abc import MutableMapping
from typing import Any

from litellm.constants import LITELLM_LOGGING_NO_UPSTREAM_LLM_CALL
from litellm.integrations.custom_logger import CustomLogger

from privguard.core.targets import UNTOLD
from privguard_adapters.litellm.owned import END_USER, NOTES, is_minimized

_NOTED = "user_api_key"  # notes on who asked; what else stands there may be the caller's
# What is about a request and not of it.
_KEPT = frozenset({"litellm_call_id", "litellm_logging_obj", "start_time", "call_type", "response_cost", "stream"})
# Where LiteLLM has the texts of a request in what it gives to loggers.
_TEXTS = ("messages", "input", "prompt", "user", "additional_args", "optional_params", "complete_input_dict")


class Unheard(CustomLogger):  # type: ignore[misc]  # LiteLLM is not installed where types are checked
    """The first of all loggers."""

    def log_pre_api_call(self, model: object, messages: object, kwargs: MutableMapping[str, Any]) -> None:  # noqa: ARG002 - LiteLLM's own
        """Empty what the other loggers get of a request that goes to no model."""
        if not kwargs.get(LITELLM_LOGGING_NO_UPSTREAM_LLM_CALL):
            return
        if isinstance(messages, list):
            messages.clear()
        for name in _TEXTS:
            if name in kwargs:
                kwargs[name] = _nothing(kwargs[name])
        kwargs["model"] = UNTOLD
        _keep_notes(kwargs.get("litellm_params"))

    async def async_post_call_failure_hook(
        self,
        request_data: dict[str, Any],
        original_exception: Exception,  # noqa: ARG002 - LiteLLM's own
        user_api_key_dict: Any,  # noqa: ANN401 - likewise
        traceback_str: str | None = None,  # noqa: ARG002 - likewise
    ) -> None:
        """Empty a request that failed and was not minimized."""
        if is_minimized(request_data):
            return
        for name in [name for name in request_data if name not in (*_KEPT, *NOTES)]:
            request_data[name] = _nothing(request_data[name])
        request_data["model"] = UNTOLD
        _keep_notes(request_data)
        if getattr(user_api_key_dict, "end_user_id", None) is not None:
            user_api_key_dict.end_user_id = None


def stand_first(loggers: list[Any]) -> None:
    """Put one before all that are in a list of loggers. Once is enough."""
    if not any(isinstance(each, Unheard) for each in loggers):
        loggers.insert(0, Unheard())


def _nothing(value: object) -> Any:  # noqa: ANN401 - as LiteLLM has it there
    return type(value)() if isinstance(value, list | str | dict) else None


def _keep_notes(data: Any) -> None:  # noqa: ANN401 - likewise
    for name in NOTES if isinstance(data, dict) else ():
        notes = data.get(name)
        if isinstance(notes, dict):
            for key in [key for key in notes if key == END_USER or not str(key).startswith(_NOTED)]:
                del notes[key]
