from dataclasses import replace

import pytest

from privguard.core.entities import EntityType
from privguard.core.segments import Channel, Role, Segment
from privguard.core.spans import Span
from privguard.detect.keyed import as_name, behind, introduction, is_about_person, lead_of, names_person
from privguard.guard.shapes import text_segments


def span(start: int, end: int) -> Span:
    return Span(start=start, end=end, kind=EntityType.SECRET, score=0.9, source="test")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("hunter2", "", id="no document"),
        pytest.param('["hunter2"]', "", id="no key"),
        pytest.param('{"pin": "hunter2"}', "pin: ", id="a key"),
        pytest.param('{"pin": [{"old": ["hunter2"]}]}', "old: ", id="the nearest key"),
        pytest.param('{"pin": 12345678}', "pin: ", id="a number"),
        pytest.param('{"pin": "' + "x" * 121 + '"}', "", id="a long value"),
        pytest.param('{"' + "x" * 121 + '": "hunter2"}', "", id="a long key"),
        pytest.param('{"": "hunter2"}', "", id="an empty key"),
    ],
)
def test_a_short_value_is_led_by_its_key(text: str, expected: str) -> None:
    assert lead_of(text_segments(text)[-1], ()) == expected


def test_keys_are_led_by_nothing() -> None:
    assert lead_of(text_segments('{"a": {"pin": "hunter2"}}')[1], ()) == ""


def test_a_value_of_which_all_was_found_needs_no_lead() -> None:
    value = text_segments('{"pin": "hunter2"}')[-1]
    assert lead_of(value, [span(0, 7)]) == ""
    assert lead_of(value, [span(0, 6)]) == "pin: "


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
