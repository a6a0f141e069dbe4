import pytest

from privguard_adapters.wire.later import Resumed, resumed

BASE = "https://api.example/v1/responses/resp_1"


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", Resumed(url=BASE)),
        ("?stream=true", Resumed(url=f"{BASE}?stream=true", streams=True)),
        ("?stream=true&starting_after=7", Resumed(url=f"{BASE}?stream=true", streams=True, after=7)),
        ("?starting_after=0&include=a", Resumed(url=f"{BASE}?include=a", after=0)),
        ("?starting_after=x", Resumed(url=f"{BASE}?starting_after=x")),
        (f"?starting_after={'9' * 5000}", Resumed(url=f"{BASE}?starting_after={'9' * 5000}")),
    ],
    ids=range(6),
)
def test_a_stream_is_asked_for_from_its_start(query: str, found: Resumed) -> None:
    assert resumed(BASE + query) == found
