import pytest

from privguard.core.errors import UnprotectedRouteError
from privguard_adapters.wire.route import path_ids


def test_ids_in_a_path_are_to_be_looked_at_as_they_read() -> None:
    assert [check.text for check in path_ids(["file-7", "batch%5F9"])] == ["file-7", "batch_9"]


@pytest.mark.parametrize("step", ["", "a%2Fb", "..", "a..b", "Ada Roth", "%20"])
def test_what_is_no_identifier_is_refused_without_its_text(step: str) -> None:
    with pytest.raises(UnprotectedRouteError, match="no identifier"):
        path_ids(["file-7", step])
