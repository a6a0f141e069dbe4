from dataclasses import replace

import pytest
from rich.console import Console

from privguard.cli.demo_scenes import Check, Play, play
from privguard.cli.demo_show import show


@pytest.fixture(scope="module")
def played() -> Play:
    return play(target=None, scripted=True)


def shown(played: Play) -> tuple[str, bool]:
    console = Console(width=100, highlight=False)
    with console.capture() as capture:
        held = show(console, played)
    return capture.get(), held


def test_both_sides_of_the_guard_are_shown(played: Play) -> None:
    text, held = shown(played)
    assert held
    for word in ("Ada Roth", "[PERSON_", "scripted server", "openai.chat.completions", "restored", "\u2502"):
        assert word in text


def test_a_route_is_shown_whole_on_a_slow_machine(played: Play) -> None:
    text, _ = shown(
        replace(played, records=tuple(replace(each, stage_ms={"detect": 12345.6}) for each in played.records))
    )
    assert "openai.chat.completions" in text
    assert "12345.6" in text


def test_a_broken_promise_is_said(played: Play) -> None:
    text, held = shown(replace(played, checks=(Check(promise="all is well", held=False),)))
    assert not held
    assert "BROKEN  all is well" in text


def test_a_real_provider_is_not_called_scripted(played: Play) -> None:
    scenes = tuple(replace(scene, raw=()) for scene in played.scenes)
    text, _ = shown(replace(played, host="model.example", scenes=scenes))
    assert "the model at model.example" in text
    assert "scripted" not in text
    assert "\u2500 came back" not in text
