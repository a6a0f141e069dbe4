"""What failure loggers are told of a request that was not minimized."""

import asyncio
import json
from typing import Any

import pytest

pytest.importorskip("litellm", reason="LiteLLM is not installed here; its tests run with `make test-litellm`")

from litellm.constants import LITELLM_LOGGING_NO_UPSTREAM_LLM_CALL
from litellm.integrations.custom_logger import CustomLogger
from litellm.proxy._types import UserAPIKeyAuth

from privguard.testing import Canary, find_canaries
from privguard_adapters.litellm.owned import END_USER, NOTE, REQUEST, Seen
from privguard_adapters.litellm.unheard import Unheard, stand_first

PERSON = Canary.person()
USER = [{"role": "user", "content": PERSON.value}]


def failed(data: dict[str, Any]) -> UserAPIKeyAuth:
    key = UserAPIKeyAuth(api_key="key", end_user_id=PERSON.value)
    asyncio.run(
        Unheard().async_post_call_failure_hook(
            request_data=data, original_exception=ValueError(), user_api_key_dict=key, traceback_str=None
        )
    )
    return key


@pytest.mark.parametrize("field", ["metadata", "litellm_metadata"])
def test_nothing_is_told_of_a_request_that_was_not_minimized(field: str) -> None:
    notes = {"who": PERSON.value, NOTE: PERSON.value, "user_api_key_alias": "a", END_USER: PERSON.value}
    data = {"model": PERSON.value, "messages": USER, "n": 1, REQUEST: {"a": PERSON.value}, field: notes}
    key = failed(data)
    assert find_canaries(json.dumps(data).encode(), [PERSON]) == []
    assert data[field] == {"user_api_key_alias": "a"}
    assert key.end_user_id is None


def test_a_minimized_request_is_told_as_it_left() -> None:
    data = {"model": "chat", "messages": [{"role": "user", "content": "x"}], REQUEST: Seen()}
    assert failed(dict(data)).end_user_id == PERSON.value  # what the guardrail noted there
    assert data["messages"]


def test_loggers_of_a_call_that_goes_to_no_model_are_told_nothing_of_it() -> None:
    messages = [*USER]
    noted = {"metadata": {"a": PERSON.value}}
    told: dict[str, Any] = {"model": PERSON.value, "messages": messages, "input": PERSON.value, "litellm_params": noted}
    Unheard().log_pre_api_call("chat", messages, told)
    assert told["messages"] == USER
    Unheard().log_pre_api_call("chat", messages, told | {LITELLM_LOGGING_NO_UPSTREAM_LLM_CALL: False})
    assert told["messages"] == USER
    told[LITELLM_LOGGING_NO_UPSTREAM_LLM_CALL] = True
    Unheard().log_pre_api_call("chat", messages, told)
    assert find_canaries(json.dumps([told, messages]).encode(), [PERSON]) == []


def test_it_stands_before_all_loggers_once() -> None:
    loggers: list[Any] = ["langfuse", CustomLogger()]
    stand_first(loggers)
    stand_first(loggers)
    assert [type(each) for each in loggers] == [Unheard, str, CustomLogger]
