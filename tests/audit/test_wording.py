"""Whatever a scan finds has words."""

import pytest

from privguard.audit.faults import Fault, FaultKind
from privguard.audit.wording import describe, number


@pytest.mark.parametrize("kind", FaultKind)
def test_every_fault_has_words(kind: FaultKind) -> None:
    one = describe(Fault(kind=kind, first=3, last=3, count=1))
    several = describe(Fault(kind=kind, first=3, last=5, count=2))
    assert "{" not in one + several
    assert one


def test_one_of_something_is_not_several() -> None:
    assert [number(count, "row") for count in (0, 1, 2, 1204)] == ["0 rows", "1 row", "2 rows", "1,204 rows"]
