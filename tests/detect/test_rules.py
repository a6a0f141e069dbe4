import random
import socket
import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.segments import Channel, Role, Segment
from privguard.detect.merge import merge
from privguard.detect.rules import RuleDetector
from privguard.detect.secrets import SecretDetector
from privguard.detect.spread import spread

Find = Callable[[str], list[tuple[str, EntityType]]]

_DENSE = (
    "Dr. Otto von Hagen <otto@hagen.example>, +44 20 7946 0018, IBAN DE89 3704 0044 0532 0130 00, 12 High Street, "
    "14 March 1987, 34 years old, SSN 219-09-9999, order no. C-55120, 203.0.113.201, password: hunter2, £1,200. "
)


def _segment(text: str) -> Segment:
    return Segment(path="text", role=Role.USER, channel=Channel.TEXT, text=text)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("sha512-Ym2xQ0f1Zw== and s3, m2, EKS, C4", set()),
        ("build 6033391 at 08:51:06", set()),
        ("ts=1667470478 loss=0.237115", set()),
        ("2026-07-02,17,ok", {EntityType.DATE}),
        ("Each individual must sign.", set()),
        ("Submit the Bill Rate by May; April targets, Grant proposal, Mark as done", set()),
        ("IBAN DE89 3704 0044 0532 0130 00 failed", {EntityType.FIN_ACCOUNT}),
        ("Dr. Otto von Hagen and Maria de la Cruz", {EntityType.PERSON}),
        ("Sam L. Kole Jr. and J. R. Lind", {EntityType.PERSON}),
    ],
)
def test_the_rules_say_this_and_nothing_else(by_rules: Find, text: str, kinds: set[EntityType]) -> None:
    assert {kind for _, kind in by_rules(text)} == kinds


def test_each_kind_of_a_dense_text_is_found(by_rules: Find) -> None:
    assert {kind for _, kind in by_rules(_DENSE)} >= {
        EntityType.PERSON, EntityType.EMAIL, EntityType.PHONE, EntityType.FIN_ACCOUNT, EntityType.ADDRESS,
        EntityType.DATE, EntityType.AGE, EntityType.GOV_ID, EntityType.RECORD_ID, EntityType.DEVICE_ID,
        EntityType.FINANCE,
    }  # fmt: skip


def test_no_socket_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket.socket, "__init__", refuse)
    assert RuleDetector().detect([_segment(_DENSE + "https://ada:x@roth.example/reset?token=77aa88bb")])[0]


def test_every_segment_gets_its_row(rule_detector: RuleDetector) -> None:
    rows = rule_detector.detect([_segment(""), _segment("ada@roth.example"), _segment("nothing")])
    assert [len(row) for row in rows] == [0, 1, 0]


@settings(max_examples=60)
@given(
    st.text(alphabet=st.characters(codec=None), max_size=80), st.sampled_from(["ada@roth.example", "+44 20 7946 0018"])
)
def test_strange_neighbours_never_shift_or_break_anything(noise: str, value: str) -> None:
    text = f"{noise}\n\n {value} \n\n{noise}"
    start = len(noise) + 3
    spans = merge(_RULES.detect([_segment(text)])[0], text)
    assert any(span.start <= start and start + len(value) <= span.end for span in spans)


@pytest.mark.parametrize(
    "text", ["", "\0", "\ud800", "\udfff@\ud800.example", "a\0b@c.example", "\u202e+44", "א" * 50, "👩‍🔬" * 50, "́" * 50]
)
def test_odd_texts_are_read(rule_detector: RuleDetector, secret_detector: SecretDetector, text: str) -> None:
    segment = _segment(text)
    for detector in (rule_detector, secret_detector):
        row = detector.detect([segment])[0]
        assert all(span.end <= len(text) for span in row)


_UNITS = (
    *(
        "a",
        "7",
        "A",
        "@",
        "a.",
        "7-",
        " ",
        "Ada ",
        "12 ",
        "/a",
        "a:",
        '"',
        "([{",
        "http://a",
        "a=b&",
        "af09",
        "\n",
        "A. ",
    ),
    *("password ", "-----BEGIN PRIVATE KEY-----", "Dr. Ada Roth ", "key_", "Ada, ", "1,000.", "eyJa.", "+4 ", "%40"),
    *(
        "/a?b",
        "May 5 ",
        "seed word ",
        "😀",
        "é",
        "A-",
        "A'",
        "a_",
        "Ab-c",
        "Via A",
        "PuTTY-User-Key-File-2:",
        "(7",
        "x4",
    ),
)


@pytest.mark.parametrize("number", range(len(_UNITS)))
def test_repeated_patterns_take_linear_time(
    rule_detector: RuleDetector, secret_detector: SecretDetector, number: int
) -> None:
    times = []
    for size in (2_000, 16_000):
        segment = _segment((_UNITS[number] * size)[:size])
        start_s = time.process_time()
        for detector in (rule_detector, secret_detector):
            detector.detect([segment])
        times.append(time.process_time() - start_s)
    assert times[1] < 8 * 3 * times[0] + 0.3


def test_random_mixtures_take_linear_time(rule_detector: RuleDetector, secret_detector: SecretDetector) -> None:
    chance = random.Random(7)  # noqa: S311 - a test, repeatable
    for _ in range(8):
        text = "".join(chance.choice(_UNITS) * chance.randint(1, 60) for _ in range(200))[:30_000]
        start_s = time.process_time()
        for detector in (rule_detector, secret_detector):
            detector.detect([_segment(text)])
        assert time.process_time() - start_s < 3


def test_what_is_found_survives_spreading_and_merging(rule_detector: RuleDetector) -> None:
    segments = [_segment(_DENSE), _segment("Later: otto von hagen again, and C-55120.")]
    rows = spread(segments, rule_detector.detect(segments))
    text = segments[1].text
    assert [text[span.start : span.end] for span in merge(rows[1], text)] == ["otto von hagen", "C-55120"]


_RULES = RuleDetector()


@pytest.mark.parametrize(
    ("text", "value"), [("J. R. Lind called", "J. R. Lind"), ("my nine-year-old plays", "nine-year-old")]
)
def test_names_by_their_form_and_ages_can_be_left_to_a_model(
    rule_detector: RuleDetector, text: str, value: str
) -> None:
    segment = Segment(path="text", role=Role.USER, channel=Channel.TEXT, text=text)
    assert [text[span.start : span.end] for span in rule_detector.detect([segment])[0]] == [value]
    assert RuleDetector(names=False).detect([segment]) == ((),)


def test_what_announces_a_name_counts_beside_a_model_too() -> None:
    text = "Dear Ben,\nDr. Ada Roth is at ada@roth.example"
    segment = Segment(path="text", role=Role.USER, channel=Channel.TEXT, text=text)
    found = {text[span.start : span.end] for span in RuleDetector(names=False).detect([segment])[0]}
    assert found == {"Ben", "Ada Roth", "ada@roth.example"}
