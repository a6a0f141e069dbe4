from collections.abc import Callable, Sequence

import pytest

from privguard.core.entities import EntityType
from privguard.core.segments import Segment
from privguard.core.spans import Span
from privguard.detect.composite import rules_detector
from privguard.guard import Guard
from privguard.testing import FailingDetector, FakeDetector


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("X-Bsn", "123456782"),
        ("patientBsn", "123456782"),
        ("ssn", "123456789"),
        ("iban", "DE89370400440532013001"),
        ("X-Account-Number", "12345678"),
        ("X-Password", "hunter2"),
        ("db_password", "hunter2"),
        ("X-Patient-Name", "Kernberg"),
        ("x-patient-name", "tobias_kernberg"),
        ("lastName", "Tobias%20Kernberg"),
        ("X-Patient", "Kernberg"),
        ("X-Tax-Id", "86095742719"),
        ("X-Password", "Rosebud-" * 30),
    ],
    ids=range(13),
)
def test_what_a_header_is_called_tells_what_it_holds(make_guard: Callable[..., Guard], key: str, text: str) -> None:
    guard = make_guard(detector=FailingDetector(), scanner=rules_detector())
    assert guard.scan(text, key=key)
    assert not guard.scan("none", key=key)


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("X-Request-Id", "123456789012"),
        ("X-Request-Id", "5f3e8a9c-1b2d-4e5f-8a9b-0c1d2e3f4a5b"),
        ("Helicone-Session-Id", "5f3e8a9c-1b2d-4e5f-8a9b-0c1d2e3f4a5b"),
        ("Helicone-Session-Name", "Onboarding"),
        ("X-B3-TraceId", "80f198ee56343ba864fe8b2a57d3eff7"),
        ("X-App-Name", "Litellm"),
        ("X-Client-Name", "Android"),
        ("X-Tenant", "Acme"),
        ("X-Account-Id", "12345678"),
        ("X-Build-Number", "12345678"),
        ("X-Run-Id", "12345678"),
        ("X-Order-Id", "12345678"),
        ("X-User-Name", "admin"),
        ("X-Api-Version", "2024-01-01"),
        ("X-Max-Tokens", "4000"),
        ("HTTP-Referer", "https://app.example"),
        ("cf-ray", "8a1b2c3d4e5f6071-ZRH"),
    ],
    ids=range(17),
)
def test_ids_names_and_numbers_of_programs_are_nobodys(make_guard: Callable[..., Guard], key: str, text: str) -> None:
    guard = make_guard(detector=FailingDetector(), scanner=rules_detector())
    assert not guard.scan(text, key=key)


def test_prose_is_read_by_the_model_once_and_under_its_key_by_rules(make_guard: Callable[..., Guard]) -> None:
    read: list[str] = []

    class Model(FakeDetector):
        def detect(self, segments: Sequence[Segment]) -> tuple[tuple[Span, ...], ...]:
            read.extend(segment.text for segment in segments)
            return super().detect(segments)

    guard = make_guard(detector=Model({"of Ada": EntityType.PERSON}), scanner=rules_detector())
    assert guard.scan("for the case of Ada", key="X-Note")
    assert guard.scan("tobias kernberg", key="X-Patient-Name")
    assert not guard.scan("no name here", key="X-Note")
    assert read == ["for the case of Ada", "tobias kernberg", "no name here"]
