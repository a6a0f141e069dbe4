"""The object that LiteLLM's loggers read, made anew from what may leave.

The proxy makes it before any guardrail runs, from the request as it came. And when a reply has gone out, it notes in it
the text that the caller got: loggers are to see what the model said.
"""

from collections.abc import Mapping
from typing import Any

_SERVED = "served_output_texts"


def relog(data: Mapping[str, Any]) -> None:
    """Make the logging object of a request anew, in its place."""
    logged = data.get("litellm_logging_obj")
    if logged is None:
        return
    from litellm.utils import Rules, function_setup

    request = {name: value for name, value in data.items() if name != "litellm_logging_obj"}
    fresh, _ = function_setup(
        original_function=logged.call_type, rules_obj=Rules(), start_time=logged.start_time, **request
    )
    vars(logged).update(vars(fresh))
    logged.model_call_details = _Details(logged.model_call_details)


class _Details(dict[str, Any]):
    """What is noted of a call, but for the restored reply."""

    def __setitem__(self, key: str, value: object) -> None:
        if key != _SERVED:
            super().__setitem__(key, value)
