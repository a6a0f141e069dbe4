import pytest

from privguard.core.entities import EntityType
from privguard.core.spans import Span
from privguard.detect.hosts import whole_hosts


def _whole(text: str, part: str, kind: EntityType = EntityType.DEVICE_ID) -> str:
    start = text.index(part)
    (span,) = whole_hosts(text, [Span(start=start, end=start + len(part), kind=kind, score=0.8, source="encoder")])
    return text[span.start : span.end]


@pytest.mark.parametrize("part", ["srv-07", "kernberg", "example", "srv-07.kernberg.example"])
@pytest.mark.parametrize("kind", [EntityType.DEVICE_ID, EntityType.URL])
def test_a_part_of_a_host_stands_for_all_of_it(part: str, kind: EntityType) -> None:
    assert _whole("on (srv-07.kernberg.example), 10.0.0.7.", part, kind) == "srv-07.kernberg.example"
    assert _whole("on srv-07.kernberg.example.", part, kind) == "srv-07.kernberg.example"


@pytest.mark.parametrize(
    ("text", "part", "kind"),
    [
        ("mail ada@kernberg.example now", "kernberg", EntityType.DEVICE_ID),
        ("at 10.0.0.7 now", "10.0.0.7", EntityType.DEVICE_ID),
        ("plate KV17-HJX.", "KV17", EntityType.DEVICE_ID),
        ("by kernberg.example", "kernberg", EntityType.ORGANIZATION),
        ("at ledger2 now", "ledger2", EntityType.DEVICE_ID),
    ],
)
def test_what_is_no_part_of_a_host_stays_as_it_is(text: str, part: str, kind: EntityType) -> None:
    assert _whole(text, part, kind) == part


def test_what_goes_on_for_long_is_no_host() -> None:
    assert _whole("a." * 500 + "kernberg" + ".b" * 500, "kernberg") == "kernberg"
