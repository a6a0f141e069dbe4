import json

import pytest

from privguard.core.errors import UnknownContentError
from privguard.core.json_leaves import parse
from privguard_adapters.wire.media import (
    Medium,
    address_of,
    carried,
    check_no_token_ids,
    check_parts,
    is_binary,
    is_data_url,
    media_in,
)


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


def test_words_and_numbers_in_the_place_of_a_medium_are_content() -> None:
    coded = "QUJD" * 19 + "\n" + "QUI="
    parts = [
        {"type": "input_audio", "input_audio": {"data": text}}
        for text in (coded, "A B", "Ä", "Ada\nRoth", "4111111111111111")
    ]
    values = parse(json.dumps({"messages": [{"content": parts}]})).values()
    media = media_in(values, ("messages", None, "content", None, "type"))
    assert [leaf.text for leaf in values.values() if carried(leaf, media)] == [coded]


@pytest.mark.parametrize(
    "text",
    [
        "data:;base64,My card is 4111 1111 1111 1111",
        "data:text/plain,x;base64,mail ada@mail.example",
        "data:;base64,4111111111111111",
        "DATA:image/png,Ada",
    ],
)
def test_a_data_url_that_holds_something_else_than_base64_is_no_medium(text: str) -> None:
    assert not is_data_url(text)
    leaf = parse(json.dumps({"url": text})).leaves[1]
    with pytest.raises(UnknownContentError) as caught:
        address_of(leaf)
    assert not any(part in str(caught.value) for part in ("Ada", "ada@", "4111"))


@pytest.mark.parametrize(
    "text", ["data:image/png;base64,QUJD", "DATA:text/plain;charset=utf-8;base64,QUI=", "data:;base64,QUJD-_"]
)
def test_a_data_url_of_base64_is_one(text: str) -> None:
    assert is_data_url(text)


def test_token_ids_are_refused() -> None:
    check_no_token_ids(parse('{"input": ["a"], "n": 1}').values(), "input")
    for text in ('{"input": [1, 2]}', '{"input": [[1]]}'):
        with pytest.raises(UnknownContentError, match="token ids"):
            check_no_token_ids(parse(text).values(), "input")
