import json
from dataclasses import replace

import pytest

from privguard.cli.demo_scenes import Play, check_promises, play
from privguard.core.plan import Action
from privguard.testing import ModelServer, Reply, find_canaries, find_placeholders, say


@pytest.fixture(scope="module")
def played() -> Play:
    return play(target=None, scripted=True)


def test_every_promise_holds(played: Play) -> None:
    assert [check.held for check in played.checks] == [True] * 4


def test_nothing_that_was_replaced_is_on_the_wire_and_everything_comes_back(played: Play) -> None:
    for scene in played.scenes:
        assert scene.values
        assert find_canaries(scene.wire, scene.values) == []
        assert find_placeholders("".join(scene.raw))
        assert not find_placeholders("".join(scene.got))


def test_all_three_actions_are_seen(played: Play) -> None:
    assert {each.action for scene in played.scenes for each in scene.decisions} == set(Action)


def test_the_stream_comes_in_pieces_that_cut_placeholders(played: Play) -> None:
    stream = played.scenes[1]
    assert len(stream.raw) > 5
    assert len(stream.got) > 5
    assert any("[" in piece and "]" not in piece for piece in stream.raw)


def test_the_tool_gets_real_arguments(played: Play) -> None:
    [arguments] = played.scenes[2].got
    assert json.loads(arguments)["name"] == "Ada Roth"


def test_the_record_is_kept_and_whole(played: Play) -> None:
    assert len(played.records) == len(played.scenes)
    assert played.verdict.ok


def test_a_weaker_model_is_never_told_less(played: Play) -> None:
    told = [sum(decision.action for decision in plan) for plan in played.others]
    assert told == sorted(told, reverse=True)


def test_a_leak_or_a_lost_value_breaks_the_promise(played: Play) -> None:
    letter, *others = played.scenes
    leaking = replace(letter, wire=letter.wire + letter.values[0].encode())
    lost = replace(letter, got=letter.raw)
    for broken, number in ((leaking, 0), (lost, 1)):
        checks = check_promises((broken, *others), played.verdict, 3, scripted=True)
        assert [check.held for check in checks] == [place != number for place in range(4)]


@pytest.mark.parametrize(("got", "held"), [("[SECRET_7QK2]", True), ("[PERSON_7QK2]", False), ("Ada Roth", True)])
def test_a_real_provider_may_speak_of_a_secret_and_leave_no_other_placeholder(
    played: Play, got: str, held: bool
) -> None:
    letter, *others = played.scenes
    checks = check_promises((replace(letter, got=(got,)), *others), played.verdict, 3, scripted=False)
    assert [check.held for check in checks] == [held, True, True]


def test_a_real_provider_is_named_by_its_host(monkeypatch: pytest.MonkeyPatch) -> None:
    with ModelServer(Reply(speak=say("fine"))) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        real = play(target="some-model", scripted=False)
        assert real.host == "127.0.0.1"
        assert server.last.json()["model"] == "some-model"
    assert [check.held for check in real.checks] == [True, False, True]  # it called no tool
    assert real.scenes[0].raw == ()
