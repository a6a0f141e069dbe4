import json

import pytest

from privguard.core.errors import UnknownContentError
from privguard.core.json_leaves import parse
from privguard_adapters.wire.media import Medium, carried, check_no_token_ids, check_parts, is_binary, media_in


def test_long_words_of_a_text_are_no_binary_data() -> None:
    document = parse(json.dumps({"content": "x" * 5000}))
    assert not is_binary(document.leaves[1])


@pytest.mark.parametrize("kind", ["image_url", "input_audio", "file", "made_up Ada Roth"])
def test_parts_that_are_no_text_are_refused_without_showing_content(kind: str) -> None:
    values = parse(json.dumps({"messages": [{"content": [{"type": "text"}, {"type": kind}]}]})).values()
    with pytest.raises(UnknownContentError) as caught:
        check_parts(values, "messages")
    assert "Ada" not in str(caught.value)


def test_the_setting_is_named_for_those_parts_alone_that_it_lets_pass() -> None:
    assert "pass_parts" in Medium(label="x", kind="image_url").refusal()
    values = parse(json.dumps({"messages": [{"content": [{"type": "video_url"}]}]})).values()
    with pytest.raises(UnknownContentError) as caught:
        check_parts(values, "messages", media=True)
    assert "pass_parts" not in str(caught.value)


def test_only_the_fields_that_hold_a_medium_leave_unread() -> None:
    part = {"type": "image_url", "url": "a", "image_url": {"url": "b", "x": {"data": "c"}}, "extras": {"data": "d"}}
    values = parse(json.dumps({"messages": [{"content": [part]}]})).values()
    media = media_in(values, ("messages", None, "content", None, "type"))
    assert [leaf.text for leaf in values.values() if carried(leaf, media)] == ["a", "b"]


def test_words_in_the_place_of_a_medium_are_content() -> None:
    parts = [{"type": "input_audio", "input_audio": {"data": text}} for text in ("QUJD\nQUI=", "A B", "Ä")]
    values = parse(json.dumps({"messages": [{"content": parts}]})).values()
    media = media_in(values, ("messages", None, "content", None, "type"))
    assert [leaf.text for leaf in values.values() if carried(leaf, media)] == ["QUJD\nQUI="]


def test_token_ids_are_refused() -> None:
    check_no_token_ids(parse('{"input": ["a"], "n": 1}').values(), "input")
    for text in ('{"input": [1, 2]}', '{"input": [[1]]}'):
        with pytest.raises(UnknownContentError, match="token ids"):
            check_no_token_ids(parse(text).values(), "input")
