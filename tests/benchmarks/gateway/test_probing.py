"""The client whose waiting is measured."""

from random import Random

import pytest

from benchmarks.gateway.probing import HISTORY, PROMPT_SIZE, Conversation, Probe, figure_of
from privguard.testing import ModelServer, Reply

METRICS = """# HELP seconds of requests
seconds_sum{route="a"} 2.5
seconds_sum{route="b"} 1.0
seconds_sum{kind="x",route="a"} 9.0
plain 3.0
"""


def test_a_conversation_ends_with_a_message_that_was_never_seen() -> None:
    talk = Conversation(Random(7))  # noqa: S311 - seeded
    prompts = [talk.same, *(talk.new() for _ in range(200))]
    assert all(prompt[:HISTORY] == talk.same[:HISTORY] for prompt in prompts)
    assert len({prompt[-1]["content"] for prompt in prompts}) == len(prompts)
    assert {len(prompt[-1]["content"]) for prompt in prompts} == {PROMPT_SIZE}


def test_the_first_event_is_waited_for() -> None:
    with ModelServer() as server, Probe(server.base_url) as probe:
        assert probe.first_event_ms(Conversation(Random(7)).same) > 0  # noqa: S311 - seeded
        server.script(Reply(status=500))
        with pytest.raises(RuntimeError, match="500"):
            probe.first_event_ms([])


def test_a_figure_is_found_by_its_name_and_all_its_labels() -> None:
    assert figure_of(METRICS, "seconds_sum", route="a") == 2.5
    assert figure_of(METRICS, "seconds_sum", route="a", kind="x") == 9.0
    assert figure_of(METRICS, "plain") == 3.0
    assert figure_of(METRICS, "seconds_sum", route="c") == 0.0
