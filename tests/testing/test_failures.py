import json

import pytest

from privguard.testing import failures
from privguard.testing.recorded import Recorded

ASKED = Recorded(method="POST", target="/", headers=(), body=b"", decoded=b'{"q": "I am [PERSON_7QK2], [EMAIL_4MN5]"}')


@pytest.mark.parametrize("kind", ["chat", "text", "messages", "responses"])
def test_an_event_quotes_the_request_in_the_form_of_its_api(kind: str) -> None:
    *name, data, end, _ = failures.event(kind, ASKED, 7).decode().split("\n")
    told = json.loads(data.removeprefix("data: "))
    assert (name, end) == (["event: error"] if kind in ("messages", "responses") else [], "")
    said = told["message"] if kind == "responses" else told["error"]["message"]
    assert said == "scripted failure about [PERSON_7QK2]"


def test_a_body_has_the_form_of_its_api_and_quotes_nothing() -> None:
    assert failures.body("chat", 429)["error"]["code"] == "429"
    assert failures.body("count", 429)["error"]["type"] == "rate_limit_error"
