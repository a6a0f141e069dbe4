import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.errors import RestoreError
from privguard_adapters.wire.reply import ReplyRules
from privguard_adapters.wire.reply_bytes import SniffedStream, is_ascii_based, restore_bytes
from tests.adapters.fake_guard import FakeExchange, FakeGuard

RULES = ReplyRules()
WHOLE = json.dumps({"choices": [{"message": {"content": "é [PERSON_7QK2]"}}]}, ensure_ascii=False)
EVENT = 'data: {"choices": [{"index": 0, "delta": {"content": "é [PERSON_7QK2]"}}]}\n\n'
DONE = "data: [DONE]\n\n"


def exchange() -> FakeExchange:
    return FakeGuard().begin((), target="m")


def named(text: str) -> str:
    return text.replace("[PERSON_7QK2]", "Ada Roth")


@pytest.mark.parametrize("charset", ["", "utf-8", "utf-16", "utf-16-le", "utf-32", "iso-8859-1", "no-such-charset"])
def test_a_body_is_restored_in_its_charset(charset: str) -> None:
    codec = charset if charset not in ("", "no-such-charset") else "utf-8"
    assert restore_bytes(WHOLE.encode(codec), charset, exchange(), RULES) == named(WHOLE).encode(codec)


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32-be"])
def test_a_charset_that_is_not_declared_is_found_as_json_parsers_find_it(codec: str) -> None:
    restored = restore_bytes(WHOLE.encode(codec), "", exchange(), RULES)
    assert json.loads(restored) == json.loads(named(WHOLE))


@pytest.mark.parametrize("body", [b"\xff\xfe", b"\xff", b"", b"\x89PNG\r\n\x1a\n\0\0\0\r", b"\0\xd8\0"])
def test_bytes_that_are_no_text_pass(body: bytes) -> None:
    assert restore_bytes(body, "", exchange(), RULES) == body


@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"])
def test_a_byte_that_is_no_utf_8_keeps_nothing_from_being_restored(start: bytes) -> None:
    body = start + WHOLE.encode().replace("é".encode(), b"\xff")
    restored = restore_bytes(body, "", exchange(), RULES)
    assert json.loads(restored) == json.loads(named(WHOLE).replace("é", "\ufffd"))
    assert restore_bytes(body, "no-such-charset", exchange(), RULES) == restored
    plain = body.replace(b"[PERSON_7QK2]", b"nobody")
    assert restore_bytes(plain, "", exchange(), RULES) == plain


def test_a_body_in_another_charset_than_it_declares_is_an_error() -> None:
    with pytest.raises(RestoreError, match="charset"):
        restore_bytes(b"\x00\xd8\x00", "utf-16-le", exchange(), RULES)


def test_charsets_of_more_than_a_byte_are_not_based_on_ascii() -> None:
    assert [is_ascii_based(name) for name in ("", "utf-8", "latin-1", "no-such-charset")] == [True] * 4
    assert [is_ascii_based(name) for name in ("utf-16", "utf-32-be")] == [False] * 2


@given(
    cuts=st.lists(st.integers(0, 120), max_size=6), whole=st.booleans(), start=st.sampled_from(["", "\r\n", ": hi\n"])
)
def test_events_and_wholes_are_told_apart_however_they_are_cut(cuts: list[int], whole: bool, start: str) -> None:
    raw = (WHOLE if whole else start + EVENT + DONE).encode()
    stream = SniffedStream(exchange(), RULES)
    places = sorted({0, len(raw), *(cut for cut in cuts if cut < len(raw))})
    pieces = [stream.feed(raw[a:b]) for a, b in pairwise(places)]
    assert stream.complete is not whole
    assert b"".join([*pieces, stream.end()]).decode() == named(WHOLE if whole else start + EVENT + DONE)
    assert stream.complete


@pytest.mark.parametrize("body", ["", "d", "data", "Bad gateway [PERSON_7QK2]", "date: [PERSON_7QK2]"])
def test_what_only_begins_like_an_event_is_a_whole(body: str) -> None:
    stream = SniffedStream(exchange(), RULES)
    assert b"".join(
        [*(stream.feed(body[n : n + 1].encode()) for n in range(len(body))), stream.end()]
    ).decode() == named(body)
