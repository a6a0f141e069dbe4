import pytest

from privguard.detect.merge import merge
from privguard.detect.places import find_addresses
from privguard.detect.prepared import Prepared


def _found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in merge(find_addresses(Prepared(text=text)), text)]


@pytest.mark.parametrize(
    "address",
    [
        "12 High Street",
        "5 Linnet Close, Harfield ZE9 9ZZ",
        "1907 Copper Fern Ct, Larkton, TN 37999",
        "Flat 7, Kestrel House, Marford ZE9 9ZZ",
        "4100 Cedar Grove Rd",
        "Musterstraße 12, 10999 Berlin",
        "Eulenweg 8",
        "Am Sandloch 9, 01999 Neudorf",
        "8 rue des Deux-Ponts, 75999 Belleroche",
        "31 bis rue des Saules, 75999 Belleroche",
        "Calle del Olmo 14, 28999 Madrid",
        "Via Roma 12, 20121 Milano",
        "Rua das Amoras 12",
        "ul. Wzorcowa 17/6, 00-999",
        "Wilgengracht 17, 1099 ZZ Amsterdam",
        "P.O. Box 9907",
        "ZE9 9ZZ",
    ],
)
def test_addresses_are_found_whole(address: str) -> None:
    assert _found(f"lives at: {address}; then") == [address]


@pytest.mark.parametrize(
    "text",
    ["on the street", "3 ways to drive", "in 2024 the road", "chapter 12 Park", "5 Great Way", "1 Timothy 3", "S3 2MB"],
)
def test_prose_is_no_address(text: str) -> None:
    assert _found(text) == []
