"""Errors that are told anew on their way out."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest

from privguard_adapters.litellm.retelling import note, noted, retell, retold

SAID, RESTORED = 'bad: "[PERSON_7QK2]"\n', 'bad: "Zoë"\n'


def answered(status: int, pieces: Sequence[bytes], *, words: bool = True) -> tuple[dict[bytes, bytes], bytes]:
    sent: list[Any] = []

    async def send(message: Any) -> None:  # noqa: ANN401 - of ASGI
        sent.append(message)

    async def app() -> None:
        with retold(send) as sending:
            if words:
                # As in a middleware that has a task of its own.
                await asyncio.create_task(asyncio.to_thread(retell, SAID, RESTORED))
            length = (b"content-length", str(sum(map(len, pieces))).encode())
            await sending({"type": "http.response.start", "status": status, "headers": [length, (b"x", b"y")]})
            for number, piece in enumerate(pieces, 1):
                await sending({"type": "http.response.body", "body": piece, "more_body": number < len(pieces)})

    asyncio.run(app())
    return dict(sent[0]["headers"]), b"".join(each["body"] for each in sent[1:])


@pytest.mark.parametrize("cut", [0, 15, 30])
def test_an_error_says_the_restored_words_however_it_is_cut(cut: int) -> None:
    raw = json.dumps({"error": {"message": SAID}}).encode()
    headers, body = answered(400, [raw[:cut], raw[cut:]])
    assert json.loads(body) == {"error": {"message": RESTORED}}
    assert headers == {b"content-length": str(len(body)).encode(), b"x": b"y"}


@pytest.mark.parametrize("is_ascii", [False, True])
def test_an_error_in_the_midst_of_a_stream_says_the_restored_words(is_ascii: bool) -> None:
    sent: list[Any] = []

    async def send(message: Any) -> None:  # noqa: ANN401 - of ASGI
        sent.append(message)

    async def app() -> None:
        with retold(send) as sending:
            await sending({"type": "http.response.start", "status": 200, "headers": []})
            told = json.dumps({"error": {"message": SAID + RESTORED}}, ensure_ascii=is_ascii)
            for piece in (told, told):
                await sending({"type": "http.response.body", "body": f"data: {piece}\n\n".encode(), "more_body": True})
                retell(SAID + RESTORED, RESTORED * 2)

    asyncio.run(app())
    said = [json.loads(each["body"][6:])["error"]["message"] for each in sent[1:]]
    assert said == [SAID + RESTORED, RESTORED * 2]  # no words were known when the first was sent


@pytest.mark.parametrize(("status", "words"), [(200, True), (400, False)])
def test_what_is_no_such_error_passes_as_it_is(status: int, words: bool) -> None:
    raw = json.dumps({"error": {"message": SAID}}).encode()
    headers, body = answered(status, [raw[:9], raw[9:]], words=words)
    assert (headers[b"content-length"], body) == (str(len(raw)).encode(), raw)


def test_a_call_is_found_by_the_answer_that_is_made() -> None:
    async def send(_message: object) -> None:
        pass

    note("lost")
    with retold(send):
        assert noted() is None
        note("1")
        assert noted() == "1"
    assert noted() is None


def test_without_an_answer_at_hand_nothing_is_kept() -> None:
    retell(SAID, RESTORED)
    assert answered(400, [b"{}"], words=False)[1] == b"{}"
