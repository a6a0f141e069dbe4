from collections.abc import Sequence
from dataclasses import replace

import pytest

from privguard.core.audit import Outcome
from privguard.core.errors import ProtectionError, UnknownContentError
from privguard.guard import Guard
from privguard.testing import ListSink
from privguard_adapters.upload_lines import Around, Look, OpenLine, open_lines
from privguard_adapters.wire.checks import Check

NAME = Check(label="the name of the file", text="b.jsonl")


def opened(guard: Guard, *texts: str, look: Look = lambda _checks, _exchange: None) -> list[OpenLine]:
    lines = [
        f'{{"custom_id": "r{number}", "method": "POST", "url": "/v1/embeddings", '
        f'"body": {{"model": "m", "input": "{text}"}}}}'.encode()
        for number, text in enumerate(texts)
    ]
    return open_lines(guard, lines, Around(checks=(NAME,), beside=lambda _passed: (), look=look), profile=None)


def test_every_line_is_an_exchange_of_its_own(real_guard: Guard) -> None:
    first, second = opened(real_guard, "I am Ada Roth", "nothing")
    assert b"Ada" not in first.body
    assert first.exchange.request_id != second.exchange.request_id


def test_a_detector_that_fails_blocks_all_lines(real_guard: Guard, sink: ListSink) -> None:
    class Failing:
        id = "failing"

        def detect(self, segments):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202 - of the protocol
            if any("nothing" in segment.text for segment in segments):
                raise ValueError("Ada Roth")
            return tuple(() for _ in segments)

    with pytest.raises(ProtectionError, match="line 2 of the file") as caught:
        opened(Guard(replace(real_guard.parts, detector=Failing())), "I am Ada Roth", "nothing")
    assert "Ada" not in str(caught.value)
    assert {record.outcome for record in sink.records} == {Outcome.BLOCKED}


def test_a_refusal_for_what_stands_around_the_lines_names_no_line(real_guard: Guard) -> None:
    def refuse(checks: Sequence[Check], _exchange: object) -> None:
        if NAME in checks:
            raise UnknownContentError(f"{NAME.label} holds something sensitive")

    with pytest.raises(UnknownContentError, match=r"^the name of the file"):
        opened(real_guard, "x", look=refuse)
