import random
import socket
from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.segments import Channel, Role, Segment
from privguard.detect.merge import merge
from privguard.detect.rules import RuleDetector
from privguard.detect.secrets import SecretDetector
from privguard.detect.spread import spread
from tests.growth import costs_at_most, grows_in_proportion

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
        ("last_name;plan\nosei;gold\n", {EntityType.PERSON}),
        ("WHERE last_name = 'osei'", {EntityType.PERSON}),
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
    def detect(text: str) -> None:
        for detector in (rule_detector, secret_detector):
            detector.detect([_segment(text)])

    assert grows_in_proportion(detect, _UNITS[number], 2_000, least_s=0.002)


def test_random_mixtures_take_linear_time(rule_detector: RuleDetector, secret_detector: SecretDetector) -> None:
    chance = random.Random(7)  # noqa: S311 - a test, repeatable
    for _ in range(8):
        text = "".join(chance.choice(_UNITS) * chance.randint(1, 60) for _ in range(200))[:30_000]
        segments = [_segment(text)]
        for detector in (rule_detector, secret_detector):
            assert costs_at_most(3, partial(detector.detect, segments))


def test_what_is_found_survives_spreading_and_merging(rule_detector: RuleDetector) -> None:
    segments = [_segment(_DENSE), _segment("Later: otto von hagen again, and C-55120.")]
    rows = spread(segments, rule_detector.detect(segments))
    text = segments[1].text
    assert [text[span.start : span.end] for span in merge(rows[1], text)] == ["otto von hagen", "C-55120"]


_RULES = RuleDetector()
_SECRETS = SecretDetector()

_VALUES = (
    ("", "ada.roth@roth.example", EntityType.EMAIL),
    ("", "ada@[203.0.113.7]", EntityType.EMAIL),
    ("", "https://roth.example/users/ada_roth", EntityType.URL),
    ("user: ", "ada_roth7", EntityType.USERNAME),
    ("", "@ada_roth", EntityType.USERNAME),
    ("", "DE89 3704 0044 0532 0130 00", EntityType.FIN_ACCOUNT),
    ("", "GB82WEST12345698765432", EntityType.FIN_ACCOUNT),
    ("", "4111 1111 1111 1111", EntityType.FIN_ACCOUNT),
    ("", "4111-1111-1111-1111", EntityType.FIN_ACCOUNT),
    ("", "4111_1111_1111_1111", EntityType.FIN_ACCOUNT),
    ("", "4111/1111/1111/1111", EntityType.FIN_ACCOUNT),
    ("", "378282246310005", EntityType.FIN_ACCOUNT),
    ("account: ", "123456789012", EntityType.FIN_ACCOUNT),
    ("", "0x52908400098527886E0F7030069857D2E4169EE7", EntityType.FIN_ACCOUNT),
    ("BIC: ", "COBADEFFXXX", EntityType.FIN_ACCOUNT),
    ("paid ", "$2,715.50", EntityType.FINANCE),
    ("", "+44 20 7946 0018", EntityType.PHONE),
    ("phone ", "020-7946-0018", EntityType.PHONE),
    ("", "(212) 555-0147", EntityType.PHONE),
    ("", "11010519491231002X", EntityType.GOV_ID),
    ("", "390.533.447-05", EntityType.GOV_ID),
    ("", "219-09-9999", EntityType.GOV_ID),
    ("PESEL ", "44051401359", EntityType.GOV_ID),
    ("passport ", "A24681357", EntityType.GOV_ID),
    ("", "203.0.113.201", EntityType.DEVICE_ID),
    ("", "2001:db8:85a3::8a2e:370:7334", EntityType.DEVICE_ID),
    ("", "00:1B:54:AA:0c:9f", EntityType.DEVICE_ID),
    ("", "1HGCM82633A004352", EntityType.DEVICE_ID),
    ("device id: ", "d-4b9c077", EntityType.DEVICE_ID),
    ("plate ", "AB12 XYZ", EntityType.DEVICE_ID),
    ("order no. ", "C-55120", EntityType.RECORD_ID),
    ("born ", "14 March 1987", EntityType.DATE),
    ("", "12 High Street", EntityType.ADDRESS),
    ("password: ", "hunter2x", EntityType.SECRET),
    ("", "AKIAQYLPMN5HHHFPZAM2", EntityType.SECRET),
)
_HYPHENS = "\u2010\u2011"
_DASHES = "\u2012\u2013\u2212\ufe63\uff0d"
_SPACES = "\u00a0\u2002\u2007\u2009\u202f\u3000"
_UNSEEN = "\u00ad\u200b\u200c\u200d\u2060\ufeff\u200e\ufe0f"


def _is_covered(text: str, start: int, end: int, kind: EntityType) -> bool:
    """Tell whether all of a value is found, as what it is."""
    segment = _segment(text)
    spans = merge((*_RULES.detect([segment])[0], *_SECRETS.detect([segment])[0]), text)
    within = [span for span in spans if span.start < end and start < span.end]
    seen = {place for span in within for place in range(span.start, span.end)}
    return kind in {span.kind for span in within} and seen >= set(range(start, end))


def _written(text: str, forms: str, first: str, last: str) -> str:
    """Return a text with each letter from `first` to `last` in the form that stands in its place."""
    return text.translate({ord(first) + place: forms[place] for place in range(ord(last) - ord(first) + 1)})


def _full_width(text: str) -> str:
    return _written(text, "".join(map(chr, range(0xFF01, 0xFF5F))), "!", "~").replace(" ", "\u3000")


def _bold(text: str) -> str:
    small = _written(text, "".join(map(chr, range(0x1D41A, 0x1D434))), "a", "z")
    capital = _written(small, "".join(map(chr, range(0x1D400, 0x1D41A))), "A", "Z")
    return _written(capital, "".join(map(chr, range(0x1D7CE, 0x1D7D8))), "0", "9")


@pytest.mark.parametrize("number", range(len(_VALUES)))
@pytest.mark.parametrize("write", [str, _full_width, _bold])
@pytest.mark.parametrize("end", ["", " now", "\u3002"], ids=range(3))
def test_each_value_is_found_in_full_width_and_decorated_letters(
    number: int, write: Callable[[str], str], end: str
) -> None:
    lead, value, kind = _VALUES[number]
    for before in (lead, write(lead)):
        text = before + write(value) + end
        assert _is_covered(text, len(before), len(before) + len(value), kind)


@pytest.mark.parametrize("number", range(len(_VALUES)))
@settings(max_examples=20)
@given(data=st.data())
def test_each_value_is_found_with_invisible_letters_and_other_spaces_and_hyphens(
    number: int, data: st.DataObject
) -> None:
    lead, value, kind = _VALUES[number]
    choices = {" ": " " + _SPACES, "-": "-" + _HYPHENS + _DASHES}
    pieces = [data.draw(st.sampled_from(choices.get(letter, letter))) for letter in value]
    for place in data.draw(st.sets(st.integers(1, len(value) - 1), max_size=4)):
        pieces[place] = data.draw(st.sampled_from(_UNSEEN)) + pieces[place]
    written = "".join(pieces)
    text = f"see {lead}{written} now"
    assert _is_covered(text, 4 + len(lead), 4 + len(lead) + len(written), kind)


@pytest.mark.parametrize("zero", ["\u0660", "\u06f0", "\u0966", "\u09e6", "\u0e50", "\uff10"], ids=range(6))
@pytest.mark.parametrize(
    "value",
    [
        "4111 1111 1111 1111",
        "4111_1111_1111_1111",
        "+44 20 7946 0018",
        "390.533.447-05",
        "11010519491231002X",
        "DE89 3704 0044 0532 0130 00",
        "203.0.113.201",
    ],
    ids=range(7),
)
def test_the_digits_of_any_script_are_digits(zero: str, value: str) -> None:
    text = _written(value, "".join(map(chr, range(ord(zero), ord(zero) + 10))), "0", "9")
    assert [(span.start, span.end) for span in merge(_RULES.detect([_segment(text)])[0], text)] == [(0, len(text))]


@pytest.mark.parametrize(
    "text",
    [
        "\uff12\uff10 m\u00b2, H\u2082O, E = mc\u00b2 and 10\u00b3",
        "\u2460 first \u2461 second \u2462 third",
        "v\uff11.\uff12.\uff13 and 1/2/\uff13",
        "4111\u200b1111\u200b1111\u200b1112",
        "4111\u20131111\u20131112 rows",
        "pages 100\u2013200, 7\u20139, 1 000\u00a0000 words",
        "fo\u00adot\u00adnote, na\u200bme, \u2764\ufe0f \U0001f469\u200d\U0001f52c",
        "item\uff3f1\uff3f2\uff3f3",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "\uff08\u4e00\uff09\uff1a\u9879\u76ee\uff0c\u8fdb\u5c55\u3002",
    ],
    ids=range(10),
)
def test_other_writings_of_what_is_nothing_are_nothing(by_rules: Find, secrets_in: Find, text: str) -> None:
    assert by_rules(text) == []
    assert secrets_in(text) == []


@settings(max_examples=60)
@given(st.text(st.characters() | st.sampled_from(_UNSEEN + _SPACES + _DASHES + "\uff11\uff20\uff0e1@."), max_size=60))
def test_every_span_of_any_writing_lies_in_the_text(text: str) -> None:
    for detector in (_RULES, _SECRETS):
        for span in detector.detect([_segment(text)])[0]:
            assert 0 <= span.start < span.end <= len(text)


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
