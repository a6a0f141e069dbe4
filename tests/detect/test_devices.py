import pytest

from privguard.detect.devices import find_devices
from privguard.detect.merge import merge
from privguard.detect.prepared import Prepared


def _found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in merge(find_devices(Prepared(text=text)), text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from 203.0.113.201 port 22", "203.0.113.201"),
        ("host 10.9.8.77:8080", "10.9.8.77"),
        ("net 203.0.113.64/26", "203.0.113.64"),
        ("v6 2001:db8:85a3::8a2e:370:7334 up", "2001:db8:85a3::8a2e:370:7334"),
        ("fe80::1ff:fe23:4567:890a%eth2", "fe80::1ff:fe23:4567:890a%eth2"),
        ("mac 00:1B:54:AA:0c:9f", "00:1B:54:AA:0c:9f"),
        ("mac 001b.54aa.0c9f", "001b.54aa.0c9f"),
        ("bought 1HGCM82633A004352 used", "1HGCM82633A004352"),
        ("VIN WVWZZZ1KZ8W123456", "WVWZZZ1KZ8W123456"),
        ("IMEI 49-015420-323751-8", "49-015420-323751-8"),
        ("IMEI 49_015420_323751_8", "49_015420_323751_8"),
        ("handset 490154/20/323751/8", "490154/20/323751/8"),
        ("352099-00-176148-1 was stolen", "352099-00-176148-1"),
        ("352099.00.176148.1 was stolen", "352099.00.176148.1"),
        ("352099-00-176148-2 was stolen", None),
        ("IMEI 49.015420_323751/8", None),
        ("352099/2024/11/12 1", None),
        ("490154203237518 is the imei", None),
        ("plate AB12 XYZ", "AB12 XYZ"),
        ("Kennzeichen: B-XX 1234", "B-XX 1234"),
        ("immatriculée XY-123-ZA", "XY-123-ZA"),
        ("serial no. QRS4711T2UV", "QRS4711T2UV"),
        ("device id: d-4b9c077", "d-4b9c077"),
    ],
)
def test_devices_are_found(text: str, expected: str | None) -> None:
    assert _found(text) == ([expected] if expected else [])


@pytest.mark.parametrize(
    "text",
    [
        "version 1.2.3.4",
        "pip install x==1.2.3.4",
        "at 08:51:06",
        "127.0.0.1 and ::1 and 255.255.255.0",
        "std::vector<a::b>",
        "999.1.1.1",
        "ABCDEFGHJKLMNPRST",
        "registration is open from 9",
        "sha 3f786850e387550fdab836ed7e6dc881de23001b",
        "1.2.3.4.5",
    ],
)
def test_other_things_are_no_devices(text: str) -> None:
    assert _found(text) == []
