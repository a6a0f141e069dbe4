import pytest

from privguard.core.entities import EntityType
from privguard.detect.id_shapes import find_id_shapes
from privguard.detect.prepared import Prepared


def _found(text: str) -> list[str]:
    spans = list(find_id_shapes(Prepared(text=text)))
    assert {span.kind for span in spans} <= {EntityType.GOV_ID}
    return [text[span.start : span.end] for span in spans]


@pytest.mark.parametrize(
    "number",
    [
        "784-1990-1234567-1",
        "110105194912310021",
        "900101-1234567",
        "900101/1234",
        "111.444.777-00",
        "11.222.333/0001-00",
        "12.345.678-9",
        "85.07.30-033.29",
        "756.1234.5678.90",
        "078-05-1120",
        "2 55 08 14 168 025 39",
        "12345678A",
        "X1234567A",
        "RSSMRA85T10A562T",
        "MORGA 657054 SM9IJ",
        "QQ 12 34 56 C",
        "xxx-xx-1120",
        "***-**-1120",
    ],
)
@pytest.mark.parametrize("frame", ["{}", "mine is {}, hers not", "({})", "id={}\n", '"{}"', "{}."])
def test_a_number_with_a_form_of_its_own_is_found_whatever_its_check_digits(number: str, frame: str) -> None:
    assert _found(frame.format(number)) == [number]


@pytest.mark.parametrize(
    "text",
    [
        "1667470478123 and 1667470478",
        "20240512T101500",
        "20240512T",
        "commit 3f786850e387550fdab836ed7e6dc881de23001b",
        "version 1.12.345-6-beta",
        "from 2019-2024, 10.000.000 people",
        "550e8400-e29b-41d4-a716-446655440000",
        "203.0.113.201",
        "12.05.2024 - 13.05.2024",
        "1e9, 10^18, 1000000000000000000",
        "4111 1111 1111 1111",
        "2024-05-12T10:15:00.123456Z",
        "pages 100-200",
        "SHA256 A94A8FE5CCB19BA6",
        "",
    ],
)
def test_times_versions_hashes_and_quantities_have_no_such_form(text: str) -> None:
    assert _found(text) == []
