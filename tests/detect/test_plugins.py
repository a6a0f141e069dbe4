import pytest

from privguard.core.entities import EntityType
from privguard.detect.plugins import load_plugins
from privguard.detect.prepared import Prepared

TOKENS = [
    "AKIA" + "ABCDEFGHIJKLMNOP",
    "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8",
    "sk_live_" + "a1B2c3D4e5F6g7H8i9J0k1L2",
    "SG." + "a1B2c3D4e5F6g7H8i9J0k1" + "." + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V",
]


@pytest.mark.parametrize("number", range(len(TOKENS)))
def test_a_token_is_found_bare_and_in_a_sentence(number: int) -> None:
    token = TOKENS[number]
    plugins = list(load_plugins())
    for text in (token, f"I pasted {token} by accident"):
        view = Prepared(text=text)
        found = [span for plugin in plugins for span in plugin.find(view)]
        assert any(text[span.start : span.end] in token and span.kind is EntityType.SECRET for span in found)


def test_prose_is_nothing_to_any_plugin() -> None:
    view = Prepared(text="The meeting is on Tuesday at ten, bring the papers and the key to the shed.")
    assert [span for plugin in load_plugins() for span in plugin.find(view)] == []


def test_every_plugin_has_expressions_of_its_own() -> None:
    plugins = list(load_plugins())
    assert len({plugin.name for plugin in plugins}) == len(plugins)
    assert all(plugin.patterns for plugin in plugins)
