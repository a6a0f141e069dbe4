"""What the proxy under test loads: a guardrail that knows the canaries, and a logger that writes all it is told."""

import json
import os
from pathlib import Path

from litellm.integrations.custom_logger import CustomLogger

from privguard.api import load_guard
from privguard.guard import Guard
from privguard.testing import FakeDetector, FakeNeed
from privguard.testing.canary import all_canaries, values_of
from privguard_adapters.litellm.guardrail import Guardrail


class CanaryGuardrail(Guardrail):
    """The guardrail, with a detector that knows the canaries alone."""

    def make_guard(self) -> Guard:
        return load_guard(
            detector=FakeDetector(values_of(all_canaries())),
            need=FakeNeed(b_redact=-9.0, b_abstract=-9.0),
            profiles={"defaults": {"restore_secrets": True}},
        )


class Recorder(CustomLogger):  # type: ignore[misc]  # not installed where types are checked
    """Writes what LiteLLM gives to its loggers to one file, in the order in which all workers are told."""

    def _write(self, *told: object) -> None:
        # The whole of what a logger could read, also where its repr would show less.
        line = (json.dumps(told, default=_shown) + "\n").encode()
        with Path(os.environ["TEST_LOGGED"]).open("ab", buffering=0) as out:
            out.write(line)  # at once: what another worker is told never stands within the line

    async def async_log_success_event(
        self, kwargs: object, response_obj: object, start_time: object, end_time: object
    ) -> None:
        self._write("success", kwargs, response_obj)

    async def async_log_failure_event(
        self, kwargs: object, response_obj: object, start_time: object, end_time: object
    ) -> None:
        self._write("failure", kwargs, response_obj)

    async def async_post_call_failure_hook(
        self,
        request_data: object,
        original_exception: object,
        user_api_key_dict: object,
        traceback_str: object = None,
    ) -> None:
        self._write("refused", request_data, str(original_exception), traceback_str, user_api_key_dict)


def _shown(value: object) -> object:
    dump = getattr(value, "model_dump", None)
    if dump is not None:
        return dump()
    return vars(value) if type(value).__name__ == "Logging" else repr(value)


recorder = Recorder()
