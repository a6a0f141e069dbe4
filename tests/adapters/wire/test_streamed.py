import json

import pytest

from privguard.core.json_leaves import Path
from privguard.core.profile import Profile
from privguard.core.segments import Channel
from privguard_adapters.wire.streamed import StreamedChoice, StreamedText, extra_event, flush, write_json
from privguard_adapters.wire.tools import ToolName, Tools
from tests.adapters.fake_guard import FakeExchange, FakeGuard

TOOL = ("delta", "tool_calls", 0, "function")


def text(template: Path, *, to: FakeExchange | None = None, tool: Path | None = None) -> StreamedText:
    exchange = to or FakeGuard().begin((), target="m")
    return StreamedText(
        open=lambda view, _keys: exchange.stream(Channel.TEXT, "x", view=view),
        template=template,
        tool=tool,
        indices={2: "7"},
    )


@pytest.mark.parametrize(
    ("template", "entry"),
    [
        (("delta", "content"), {"delta": {"content": "é"}}),
        (("text",), {"text": "é", "logprobs": None}),
        ((*TOOL, "arguments"), {"delta": {"tool_calls": [{"index": 7, "function": {"arguments": "é"}}]}}),
        (("delta", "parts", 0), {"delta": {"parts": ["é"]}}),
    ],
)
def test_a_tail_goes_out_at_the_place_of_its_text(template: Path, entry: dict[str, object]) -> None:
    raw = extra_event(StreamedChoice(index="2", head={"id": "c"}), text(template), "é")
    assert raw.startswith(b"data: ")
    assert raw.endswith(b"\n\n")
    assert json.loads(raw[6:]) == {"id": "c", "choices": [{"index": 2, **entry, "finish_reason": None}]}


def test_half_of_a_surrogate_pair_leaves_as_an_escape() -> None:
    assert b"\\ud83d" in extra_event(StreamedChoice(index="0"), text(("delta", "content")), "\ud83d")


def test_what_waited_for_the_name_of_its_tool_gets_what_that_tool_gets() -> None:
    profile = Profile(id="fake:1", name="fake", gamma=0.5, remote_tools=("send",))
    for name, shown in (("send", "[PERSON_7QK2]"), ("look", "Ada Roth")):
        one = text((*TOOL, "arguments"), tool=TOOL)
        one.held.append("[PERSON_7QK2]")
        choice = StreamedChoice(index="0", names={TOOL: ToolName(whole=name)})
        assert flush(choice, one, Tools(profile=profile, offered=frozenset({"send", "look"}))) == shown


def test_an_event_is_written_in_one_line() -> None:
    value = {"content": "a\u2028b\u2029c\x85d"}

    written = write_json(value)

    assert len(written.splitlines()) == 1
    assert json.loads(written) == value
