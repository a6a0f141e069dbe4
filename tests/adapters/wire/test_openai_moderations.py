import json

import pytest

from privguard.core.errors import UnknownContentError
from privguard_adapters.wire.openai_moderations import CODEC


@pytest.mark.parametrize(
    ("given", "texts"), [("a", ["a"]), (["a", "b"], ["a", "b"]), ([{"type": "text", "text": "a"}], ["a"])]
)
def test_inputs_are_segments(given: object, texts: list[str]) -> None:
    view = CODEC.read_request(json.dumps({"model": "omni-moderation-latest", "input": given}).encode())
    assert [segment.text for segment in view.segments] == texts


@pytest.mark.parametrize(
    "given",
    [
        [{"type": "image_url", "image_url": {"url": "https://x.example/a"}}],
        [{"type": "text", "text": "a"}, {"type": "image_url"}],
        [{"type": "text", "text": "a", "more": "b"}],
        [1, 2],
    ],
)
def test_what_is_no_text_is_refused(given: object) -> None:
    with pytest.raises(UnknownContentError):
        CODEC.read_request(json.dumps({"input": given}).encode())


def test_the_reply_passes_unread() -> None:
    assert CODEC.replies is None
