import json
from dataclasses import replace

import pytest

from privguard.core.entities import EntityType
from privguard.core.segments import Channel, Role, Segment
from privguard.core.spans import Span
from privguard.detect.encoded import SOURCE as ENCODER
from privguard.detect.keyed import as_name, behind, introduction, is_about_person, lead_of, led, names_person, told
from privguard.guard.shapes import text_segments


def span(
    start: int, end: int, kind: EntityType = EntityType.SECRET, *, score: float = 0.9, source: str = "test"
) -> Span:
    return Span(start=start, end=end, kind=kind, score=score, source=source)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("hunter2", "", id="no document"),
        pytest.param('["hunter2"]', "", id="no key"),
        pytest.param('{"pin": "hunter2"}', "pin: ", id="a key"),
        pytest.param('{"pin": [{"door": ["hunter2"]}]}', "door: ", id="the nearest key"),
        pytest.param('{"pin": [{"old": {"value": "hunter2"}}]}', "pin: ", id="the nearest key that says something"),
        pytest.param('{"name": "pin", "value": "hunter2"}', "pin: ", id="a name beside the value"),
        pytest.param('{"ParameterKey": "pin", "ParameterValue": "hunter2"}', "pin: ", id="a parameter"),
        pytest.param('{"type": "pin", "key": "door", "value": "hunter2"}', "door: ", id="a key rather than a type"),
        pytest.param('{"pin": {"type": "text", "examples": ["hunter2"]}}', "pin: ", id="an example of a schema"),
        pytest.param('{"door": {"key": 1, "value": "hunter2"}}', "door: ", id="a number beside the value"),
        pytest.param('{"name": "pin", "door": "hunter2"}', "door: ", id="a name beside a value with a key of its own"),
        pytest.param('{"name": "pin", "door": {"value": "hunter2"}}', "door: ", id="a name elsewhere"),
        pytest.param('{"old": {"value": "hunter2"}}', "value: ", id="no key that says something"),
        pytest.param('{"pin": 12345678}', "pin: ", id="a number"),
        pytest.param('{"pin": "' + "x" * 121 + '"}', "pin: ", id="a long value"),
        pytest.param('{"' + "x" * 121 + '": "hunter2"}', "", id="a long key"),
        pytest.param('{"": "hunter2"}', "", id="an empty key"),
    ],
)
def test_a_value_is_led_by_its_key(text: str, expected: str) -> None:
    assert lead_of(text_segments(text)[-1], ()) == expected


@pytest.mark.parametrize(
    ("key", "lead"),
    [
        ("userPin", "user Pin: "),
        ("card_cvv", "card cvv: "),
        ("customerSIN", "customer SIN: "),
        ("date of birth", "date of birth: "),
        ("client_secret", "client_secret: "),
        ("refreshToken", "refreshToken: "),
        ("passwords", "password: "),
        ("pins", "pin: "),
        ("address", "address: "),
        ("max_tokens", "max tokens: "),
        ("station_id", "station_id: "),
        ("orderNumber", "orderNumber: "),
        ("national_id", "national id: "),
        ("___", "___: "),
    ],
)
def test_a_key_is_read_in_words_unless_programs_alone_have_it(key: str, lead: str) -> None:
    assert lead_of(text_segments(json.dumps({key: "hunter2"}))[-1], ()) == lead


def test_keys_are_led_by_nothing() -> None:
    assert lead_of(text_segments('{"a": {"pin": "hunter2"}}')[1], ()) == ""


def test_a_value_that_is_a_secret_as_a_whole_needs_no_lead() -> None:
    value = text_segments('{"pin": "hunter2"}')[-1]
    assert lead_of(value, [span(0, 7)]) == ""
    assert lead_of(value, [span(0, 6)]) == "pin: "


@pytest.mark.parametrize("kind", [kind for kind in EntityType if kind is not EntityType.SECRET])
@pytest.mark.parametrize("source", ["rules/email", ENCODER])
def test_whatever_else_a_value_was_taken_for_its_key_may_tell_more(kind: EntityType, source: str) -> None:
    value = text_segments('{"pin": "hunter2"}')[-1]
    assert lead_of(value, [span(0, 7, kind, score=1.0, source=source)]) == "pin: "


def test_a_secret_that_the_encoder_is_not_sure_of_needs_a_lead() -> None:
    value = text_segments('{"pin": "hunter2"}')[-1]
    assert lead_of(value, [span(0, 7, score=0.8, source=ENCODER)]) == "pin: "
    assert lead_of(value, [span(0, 7, score=0.9, source=ENCODER)]) == ""


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("hunter2", "pin: hunter2"),
        ("x" * 120, f"pin: {'x' * 120}"),
        ("x" * 500, f"pin: {'x' * 120}"),
        (f"{'lorem ' * 19}ipsum dolor", f"pin: {('lorem ' * 19)[:-1]} ipsum"),
    ],
    ids=["short", "as long", "longer", "of words"],
)
def test_of_a_long_value_the_beginning_is_read_behind_its_key(text: str, read: str) -> None:
    assert led("pin: ", text) == read


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("March 2031", 5),
        ("x" * 400, 120),
        ("  hunter2 <b>", 9),
        ("abcdEF\n" * 60, 6),
        ("correct horse battery staple " * 9, 7),
    ],
    ids=["words", "long", "signs", "lines", "long phrase"],
)
def test_a_secret_that_a_key_introduces_is_the_whole_value(text: str, end: int) -> None:
    start = 5 + len(text) - len(text.lstrip())
    found = tuple(told("pin: ", text, [span(start, 5 + end)], ()))
    assert span(0, len(text)) in found


@pytest.mark.parametrize(
    "text", ["Ensure this field has at least 8 characters.", "Enter a password", "hunter2 is for the old one"]
)
def test_prose_that_stands_under_a_key_is_no_secret_as_a_whole(text: str) -> None:
    end = text.index(" ")
    assert tuple(told("pin: ", text, [span(5, 5 + end)], ())) == (span(0, end),)


def test_a_secret_that_gives_itself_away_ends_where_it_ends() -> None:
    text = "hunter2x Rosebud"
    assert tuple(told("note: ", text, [span(6, 14)], [span(0, 8)])) == (span(0, 8),)
    assert tuple(told("note: ", text, [span(15, 22)], ())) == (span(9, 16),)
    assert tuple(told("note: ", text, [span(6, 14, source=ENCODER)], ())) == (span(0, 8, source=ENCODER),)


def test_of_a_long_value_only_what_a_rule_finds_at_its_beginning_is_told_by_the_key() -> None:
    text = "123 " * 40
    identity, name = EntityType.GOV_ID, EntityType.PERSON
    found = [span(5, 8, identity), span(9, 12, identity), span(5, 8, name, source=ENCODER), span(0, 4, identity)]
    assert tuple(told("pin: ", text, found, ())) == (span(0, 3, identity),)


def test_what_lies_in_the_lead_is_left_out() -> None:
    found = behind("pin: ", [span(0, 3), span(0, 5), span(0, 8), span(5, 12)])
    assert [(each.start, each.end) for each in found] == [(0, 3), (0, 7)]


def test_a_value_beside_the_conversation_is_led_by_the_words_of_its_name() -> None:
    field = Segment(path="metadata.{0}", role=Role.OTHER, channel=Channel.TEXT, text="hunter2", key="dbPassword")
    assert lead_of(field, ()) == "db Password: "
    assert lead_of(replace(field, key="request_id"), ()) == "request: "
    assert lead_of(replace(field, key="x" * 121), ()) == ""
    assert lead_of(replace(field, key=""), ()) == ""


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("X-Bsn", "Bsn"),
        ("x-patient-bsn", "patient bsn"),
        ("X_Patient.Name", "Patient Name"),
        ("patientName", "patient Name"),
        ("patientBSNNumber", "patient BSN Number"),
        ("XMLFile", "XML File"),
        ("ssn", "ssn"),
        ("x", "x"),
        ("X-Request-Id", "Request"),
        ("X-Tax-Id", "Tax Id"),
        ("nationalInsuranceNumber", "national Insurance Number"),
        ("X-Build-Number", "Build"),
        ("X-Account-Id", ""),
        ("account_number", "account"),
        ("X-App-Name", "App"),
        ("name", "name"),
        ("user_name", "user name"),
        ("X-Client-Name", ""),
        ("X-Tenant", ""),
        ("id", ""),
        ("", ""),
        ("--", ""),
    ],
)
def test_the_name_of_a_header_or_parameter_is_read_as_words_that_tell_of_somebody(name: str, expected: str) -> None:
    assert introduction(name) == expected


@pytest.mark.parametrize(
    ("name", "about", "names"),
    [
        ("X-Patient-Name", True, True),
        ("lastName", True, True),
        ("nachname", True, True),
        ("X-Patient", True, False),
        ("name", True, False),
        ("X-User-Name", True, False),
        ("X-App-Name", False, False),
        ("X-Model", False, False),
        ("", False, False),
    ],
)
def test_a_name_tells_whether_its_value_is_somebody(name: str, about: bool, names: bool) -> None:
    assert is_about_person(introduction(name)) is about
    assert names_person(introduction(name)) is names


@pytest.mark.parametrize("text", ["tobias_kernberg", "Tobias%20Kernberg", "tobias.kernberg", "TOBIAS+KERNBERG"])
def test_a_value_is_read_as_the_name_that_it_would_be(text: str) -> None:
    assert as_name(text) == "Tobias Kernberg"
