import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from privguard.core.entities import EntityType
from privguard.core.errors import DetectionError
from privguard.core.segments import Channel, Role, Segment
from privguard.core.spans import Span
from privguard.detect.composite import rules_detector
from privguard.detect.encoded import SOURCE as ENCODER
from privguard.detect.merge import merge
from privguard.guard.asking import ask
from privguard.guard.shapes import text_segments
from privguard.testing import FakeDetector

DETECTOR = FakeDetector({"Ada Roth": EntityType.PERSON, "password: hunter2": EntityType.SECRET})


def segment(text: str) -> Segment:
    return Segment(path="text", role=Role.USER, channel=Channel.TEXT, text=text)


def test_a_text_is_read_as_it_stands_and_once_more_with_white_space_for_written_line_breaks() -> None:
    plain, written = ask([segment("of Ada Roth"), segment(r"x\nAda Roth")], DETECTOR, 0.5)
    assert (plain.views(), written.views()) == (("of Ada Roth",), (r"x\nAda Roth", "x  Ada Roth"))
    assert [(span.start, span.end) for span in plain.plain_row] == [(3, 11)]
    assert [(span.start, span.end) for span in written.soft_row] == [(3, 11)]
    assert set(written.united(written.plain_row, written.soft_row)) == set(written.soft_row)
    assert "Roth" not in repr(plain)


@pytest.mark.parametrize("written", ["Ada&nbsp;Roth", "&#65;da Roth", r"Ada\x20Roth", "&amp;#65;da Roth"])
def test_a_text_with_codes_is_read_as_it_shows_as_well(written: str) -> None:
    detector = _Spaced(FakeDetector({"Ada Roth": EntityType.PERSON, "Ben": EntityType.PERSON}))
    (said,) = ask([segment(f"of Ben and {written}!")], detector, 0.5)
    assert [(span.start, span.end) for span in said.plain_row] == [(3, 6), (11, 11 + len(written))]
    assert said.views() == (f"of Ben and {written}!",)


@pytest.mark.parametrize(
    "written",
    [
        "\uff21\uff44\uff41 \uff32\uff4f\uff54\uff48",
        "\U0001d400\U0001d41d\U0001d41a \U0001d411\U0001d428\U0001d42d\U0001d421",
        "=?utf-8?B?QWRhIFJvdGg=?=",
    ],
    ids=["full-width", "bold", "mail"],
)
def test_a_text_in_decorated_letters_or_codes_of_mail_is_read_as_it_shows_as_well(written: str) -> None:
    (said,) = ask([segment(f"of {written}!")], DETECTOR, 0.5)
    assert (3, 3 + len(written)) in [(span.start, span.end) for span in said.plain_row]


def test_bytes_that_are_data_are_no_text() -> None:
    (said,) = ask([segment(r"\x00\x41\x64\x61\x20\x52\x6f\x74\x68")], DETECTOR, 0.5)
    assert said.plain_row == ()


def test_what_the_codes_do_not_touch_is_read_once() -> None:
    (said,) = ask([segment("Ada Roth &amp; Co")], DETECTOR, 0.5)
    assert [(span.start, span.end) for span in said.plain_row] == [(0, 8)]


class _Spaced:
    """Read no-break spaces as spaces."""

    def __init__(self, detector: FakeDetector) -> None:
        self._detector, self.id = detector, detector.id

    def detect(self, segments: Sequence[Segment]) -> tuple[tuple[Span, ...], ...]:
        return self._detector.detect([replace(each, text=each.text.replace("\u00a0", " ")) for each in segments])


def test_in_a_name_that_a_program_chose_what_says_nothing_of_anybody_is_passed_over() -> None:
    detector = FakeDetector(
        {"restaurant": EntityType.ORGANIZATION, "Ada": EntityType.PERSON, "asthma": EntityType.HEALTH}
    )
    name = segment("restaurant_Ada_asthma")
    said = ask([name, replace(name, chosen=True)], detector, 0.5)
    assert [[span.kind for span in each.plain_row] for each in said] == [
        [EntityType.ORGANIZATION, EntityType.PERSON, EntityType.HEALTH],
        [EntityType.PERSON, EntityType.HEALTH],
    ]


def test_a_value_is_read_behind_its_key() -> None:
    (said,) = ask([each for each in text_segments('{"password": "hunter2"}') if each.text == "hunter2"], DETECTOR, 0.5)
    assert [(span.start, span.end, span.kind) for span in said.plain_row] == [(0, 7, EntityType.SECRET)]


class _Network:
    """Take every whole text for one thing, surely, beside the rules."""

    id = "network/1"

    def __init__(self, kind: EntityType) -> None:
        self._kind, self._rules = kind, rules_detector()

    def detect(self, segments: Sequence[Segment]) -> tuple[tuple[Span, ...], ...]:
        return tuple(
            (*row, Span(start=0, end=len(segment.text), kind=self._kind, score=0.99, source=ENCODER))
            for segment, row in zip(segments, self._rules.detect(segments), strict=True)
        )


@pytest.mark.parametrize("network", [EntityType.LOCATION, EntityType.DATE, EntityType.PHONE, EntityType.RECORD_ID])
@pytest.mark.parametrize(
    ("key", "value", "kind"),
    [
        ("password", "London2031", EntityType.SECRET),
        ("password", "March 2031", EntityType.SECRET),
        ("password", "ada@mail.example", EntityType.SECRET),
        ("password", "4111 1111 1111 1111", EntityType.SECRET),
        ("pin", "1992", EntityType.SECRET),
        ("cvv", "185", EntityType.SECRET),
        ("userPin", "1992", EntityType.SECRET),
        ("cardCvv", "185", EntityType.SECRET),
        ("card_security_code", "185", EntityType.SECRET),
        ("pin_code", "1992", EntityType.SECRET),
        ("otpCode", "482913", EntityType.SECRET),
        ("two_factor_code", "482913", EntityType.SECRET),
        ("password_confirmation", "Rosebud", EntityType.SECRET),
        ("passPhrase", "Rosebud", EntityType.SECRET),
        ("security_answer", "Elm Street", EntityType.SECRET),
        ("secretAnswer", "Rosebud", EntityType.SECRET),
        ("client_secret", "0123456789abcdef" * 20, EntityType.SECRET),
        ("private_key", "MIIEvQIBADANBgkqhkiG9w0B\n" * 20, EntityType.SECRET),
        ("passphrase", "Copper lantern, velvet harbour " * 9 + "end", EntityType.SECRET),
        ("ssn", "536-90-4399", EntityType.GOV_ID),
        ("sin", "565 859 665", EntityType.GOV_ID),
        ("customer_sin", "565859665", EntityType.GOV_ID),
        ("user_passport", "C01X00T47", EntityType.GOV_ID),
        ("account_number", "5320130007", EntityType.FIN_ACCOUNT),
        ("bankAccountNumber", "5320130007", EntityType.FIN_ACCOUNT),
    ],
    ids=range(25),
)
@pytest.mark.parametrize("nested", [False, True])
def test_what_a_key_says_of_a_value_counts_whatever_else_it_is_taken_for(
    network: EntityType, key: str, value: str, kind: EntityType, nested: bool
) -> None:
    document = json.dumps({key: value})
    segments = text_segments(json.dumps({"a": document}) if nested else document)
    (said,) = ask([each for each in segments if each.text == value], _Network(network), 0.5)
    assert [(span.start, span.end, span.kind) for span in merge(said.plain_row, value)] == [(0, len(value), kind)]


def test_metadata_of_more_than_a_line_is_read_behind_its_name() -> None:
    field = Segment(path="metadata.{0}", role=Role.OTHER, channel=Channel.TEXT, text="4f7a" * 60, key="clientSecret")
    (said,) = ask([field], rules_detector(), 0.5)
    assert (0, 240, EntityType.SECRET) in [(span.start, span.end, span.kind) for span in said.plain_row]


class _Answering:
    id = "answering/1"

    def __init__(self, *rows: tuple[Span, ...]) -> None:
        self._rows = rows

    def detect(self, segments: Sequence[Segment]) -> tuple[tuple[Span, ...], ...]:
        return self._rows


@pytest.mark.parametrize(
    "rows", [(), ((Span(start=0, end=9, kind=EntityType.PERSON, score=1.0, source="x"),),)], ids=["missing", "outside"]
)
def test_an_answer_that_does_not_fit_is_an_error_without_content(rows: tuple[tuple[Span, ...], ...]) -> None:
    with pytest.raises(DetectionError) as blocked:
        ask([segment("Ada Roth")], _Answering(*rows), 0.5)
    assert "Roth" not in str(blocked.value)
