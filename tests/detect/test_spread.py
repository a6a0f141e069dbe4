import time

import pytest

from privguard.core.entities import EntityType
from privguard.core.segments import Channel, Role, Segment
from privguard.core.spans import Span
from privguard.detect.spread import spread


def _segment(text: str) -> Segment:
    return Segment(path="text", role=Role.USER, channel=Channel.TEXT, text=text)


def _spread(value: str, kind: EntityType, *others: str) -> list[list[str]]:
    """Detect `value` in a first segment and return what is found in the others."""
    segments = [_segment(f"x {value} y"), *map(_segment, others)]
    seed = Span(start=2, end=2 + len(value), kind=kind, score=0.9, source="rules/a")
    rows = spread(segments, [(seed,), *((),) * len(others)])
    assert rows[0] == (seed,)
    return [[segment.text[span.start : span.end] for span in row] for segment, row in zip(segments, rows, strict=True)][
        1:
    ]


@pytest.mark.parametrize(
    ("value", "kind", "other", "expected"),
    [
        ("Ada Roth", EntityType.PERSON, "ADA ROTH, ada roth and Ada\nRoth's", ["ADA ROTH", "ada roth", "Ada\nRoth"]),
        ("Ada Roth", EntityType.PERSON, "Ms Roth met Ada; rothko did not", ["Roth", "Ada"]),
        ("Mark Kole", EntityType.PERSON, "Mark as done. Kole agrees", ["Kole"]),
        ("Lind", EntityType.PERSON, "LIND, lind and Linden", ["LIND"]),
        ("Jo", EntityType.PERSON, "Jo says jo", []),
        ("hunTer2", EntityType.SECRET, "hunTer2 hunter2 xhunTer2", ["hunTer2"]),
        ("swordfish", EntityType.SECRET, "swordfish", ["swordfish"]),
        ("diabetes", EntityType.HEALTH, "diabetes", []),
        ("yesterday", EntityType.DATE, "yesterday", []),
        ("340", EntityType.FINANCE, "340", []),
        ("4471", EntityType.RECORD_ID, "ticket 4471, 44711", ["4471"]),
        ("+44 20 7946 0018", EntityType.PHONE, "to +44 20 7946 0018.", ["+44 20 7946 0018"]),
        ("小范本", EntityType.PERSON, "找小范本。", ["小范本"]),
        ("7-AB-99201", EntityType.RECORD_ID, "7AB99201, 7 ab 99201 but not 17-AB-99201", ["7AB99201", "7 ab 99201"]),
        ("+1 202 555 0143", EntityType.PHONE, "12025550143 or 001 202 555 0143", ["12025550143", "001 202 555 0143"]),
        ("ada.roth@mail.example", EntityType.EMAIL, "ADA.ROTH%40mail.example", ["ADA.ROTH%40mail.example"]),
        (
            "Ada Roth",
            EntityType.PERSON,
            "AdaRoth Ada_Roth_2 ada-roth ada.roth",
            ["AdaRoth", "Ada_Roth", "ada-roth", "ada.roth"],
        ),
        ("Ada Roth", EntityType.PERSON, "?n=Ada%20Roth&m=Ada+Roth AdaRothko", ["Ada%20Roth", "Ada+Roth"]),
        ("İstanbul Co", EntityType.ORGANIZATION, "i\u0307stanbul co", ["i\u0307stanbul co"]),
        ("14 March 1987", EntityType.DATE, "on 14 march 1987", ["14 march 1987"]),
    ],
)
def test_a_value_is_found_again(value: str, kind: EntityType, other: str, expected: list[str]) -> None:
    assert _spread(value, kind, other) == [expected]


def test_what_is_covered_already_is_not_added_again() -> None:
    segment = _segment("Ada Roth and Ada Roth")
    row = tuple(
        Span(start=start, end=start + 8, kind=EntityType.PERSON, score=0.9, source="rules/a") for start in (0, 13)
    )
    assert spread([segment], [row]) == (row,)


def test_two_secrets_that_differ_in_letter_case_are_kept_apart() -> None:
    segment = _segment("KeY9 kEy9 KeY9 kEy9")
    row = tuple(
        Span(start=start, end=start + 4, kind=EntityType.SECRET, score=0.9, source="secrets/a") for start in (0, 5)
    )
    assert {(span.start, span.end) for span in spread([segment], [row])[0]} == {(0, 4), (5, 9), (10, 14), (15, 19)}


def test_a_thousand_values_over_megabytes_take_linear_time() -> None:
    names = [f"Ada{number:04d}x Kole{number:04d}y" for number in range(1000)]
    head = _segment("; ".join(names))
    row = []
    for name in names:
        start = head.text.index(name)
        row.append(Span(start=start, end=start + len(name), kind=EntityType.PERSON, score=0.9, source="rules/a"))
    times = []
    for size in (2_000, 20_000):
        body = _segment("Nothing in particular, then Ada0007x Kole0007y again. " * size)
        start_s = time.process_time()
        assert len(spread([head, body], [row, ()])[1]) >= size
        times.append(time.process_time() - start_s)
    assert times[1] < 40 * times[0] + 0.2
