"""A preview shows what would leave; originals stand in none of its forms unless they are asked for."""

import json

import pytest
from rich.console import Console

from privguard.guard import Content, Guard
from privguard.guard.shapes import text_segments
from privguard.showing import Preview


@pytest.fixture
def preview(guard: Guard) -> Preview:
    segments = text_segments("I am Ada Roth, <b>Eve</b> & co")
    with guard.begin(segments, target="gpt-5") as exchange:
        content = Content(given=tuple(segments), sent=exchange.outgoing, plan=exchange.plan)
    body = json.dumps({"input": content.sent[0].text}).encode()
    return Preview(route="openai.chat.completions", body=body, content=content)


def printed(thing: object) -> str:
    console = Console(width=200, highlight=False)
    with console.capture() as capture:
        console.print(thing)
    return capture.get()


def test_what_would_leave_is_shown_and_originals_are_not(preview: Preview) -> None:
    assert "PERSON_" in preview.outgoing["input"]
    for seen in (preview._repr_html_(), printed(preview)):
        assert "[PERSON_" in seen
        assert "nothing was sent" in seen
        assert "Roth" not in seen
        assert "Eve" not in seen


def test_originals_are_shown_where_they_are_asked_for(preview: Preview) -> None:
    assert "Ada Roth" in printed(preview.show(originals=True))
    html = preview.show(originals=True)._repr_html_()
    assert "Ada Roth" in html
    assert "b&gt;Eve&lt;/b" in html
    assert "<b>Eve" not in html


def test_its_repr_holds_no_content_at_all(preview: Preview) -> None:
    assert repr(preview) == "Preview(openai.chat.completions, decisions=2, nothing was sent)"
    assert [decision.action.name for decision in preview.plan] == ["REDACT", "REDACT"]


def test_it_tells_how_much_leaves_that_the_models_cannot_read(guard: Guard) -> None:
    def facts(text: str) -> dict[str, str]:
        segments = text_segments(text)
        with guard.begin(segments, target="gpt-5") as exchange:
            content = Content(given=tuple(segments), sent=exchange.outgoing, plan=exchange.plan)
        return dict(Preview(route="by-hand", body=b"{}", content=content).show().facts)

    assert facts("Ada Roth met สมชาย and ნინო")["not read"].startswith("9 characters in scripts or words that")
    assert "not read" not in facts("Ada Roth met Karin in Zürich")
