import base64
import gzip
import html
import json
from collections.abc import Callable
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.testing.canary import Canary, all_canaries
from privguard.testing.leaks import find_canaries

ACCENTED = Canary(kind=EntityType.PERSON, value='Zoë "Ace" Ørsted\nroot')
ENCODERS: dict[str, Callable[[str], bytes]] = {
    "utf-8": str.encode,
    "latin-1": lambda text: text.encode("latin-1"),
    "utf-16-le": lambda text: text.encode("utf-16-le"),
    "utf-16-be": lambda text: b"\xfe\xff" + text.encode("utf-16-be"),
    "odd utf-16": lambda text: b"x" + text.encode("utf-16-le"),
    "upper": lambda text: text.upper().encode(),
    "json": lambda text: json.dumps({"a": text}).encode(),
    "json in json": lambda text: json.dumps(json.dumps([text])).encode(),
    "json thrice": lambda text: json.dumps(json.dumps(json.dumps(text))).encode(),
    "python repr": lambda text: ascii(text).encode(),
    "percent": lambda text: ("?q=" + quote(text, safe="")).encode(),
    "percent plus": lambda text: quote_plus(text).encode(),
    "percent latin-1": lambda text: quote(text, safe="", encoding="latin-1").encode(),
    "html": lambda text: html.escape(text).encode(),
    "base64": lambda text: base64.b64encode(text.encode()),
    "base64 of base64": lambda text: base64.b64encode(base64.b64encode(text.encode())),
    "base64url": lambda text: base64.urlsafe_b64encode(text.encode()),
    "base64 at 1": lambda text: b"path/" + base64.b64encode(b"x" + text.encode()),
    "base64 at 2": lambda text: b"data:text/plain;base64," + base64.b64encode(b"xy" + text.encode()),
    "base64 in lines": lambda text: base64.encodebytes(b"x" * 70 + text.encode()),
    "base64 of utf-16": lambda text: base64.b64encode(text.encode("utf-16-le")),
    "base64 of json": lambda text: base64.b64encode(json.dumps(text).encode()),
    "hex": lambda text: text.encode().hex().encode(),
}


@pytest.mark.parametrize("encode", ENCODERS.values(), ids=ENCODERS)
def test_a_canary_is_found_in_every_common_encoding(encode: Callable[[str], bytes]) -> None:
    for canary in (*all_canaries(11), ACCENTED):
        found = find_canaries(b'{"before": 1} ' + encode(canary.value) + b" after", [Canary.email(500), canary])
        assert [leak.canary for leak in found] == [canary], canary.kind


def test_numbers_are_found_without_their_separators() -> None:
    card = Canary.card()
    assert find_canaries(card.value.replace(" ", "").encode(), [card])
    assert find_canaries(card.value.replace(" ", "-").encode(), [card])


def test_a_clean_body_holds_no_canary() -> None:
    body = json.dumps({"messages": [{"content": "Dear [PERSON_7QK2], the lazy dog jumps over 12 fences. " * 50}]})
    assert find_canaries(body.encode(), [canary for seed in range(20) for canary in all_canaries(seed)]) == []


def test_a_minimized_neighbour_is_no_leak() -> None:
    assert find_canaries(Canary.email(1).value.encode(), [Canary.email(2)]) == []


def test_compressed_bytes_are_the_business_of_the_record() -> None:
    assert find_canaries(gzip.compress(Canary.email().value.encode()), [Canary.email()]) == []


def test_plain_strings_are_canaries_too() -> None:
    [leak] = find_canaries(b"I am Ada Roth", ["Ada Roth"])
    assert (leak.canary.kind, leak.encoding) == (EntityType.MISC, "utf-8")
    assert "Ada" not in repr(leak)


def test_an_empty_canary_is_refused() -> None:
    with pytest.raises(ValueError, match="everywhere"):
        find_canaries(b"x", [""])


@given(st.binary(max_size=200), st.binary(max_size=200), st.sampled_from([3, 9, 21]))
def test_surrounding_bytes_never_hide_a_plain_canary(before: bytes, after: bytes, seed: int) -> None:
    canary = Canary.email(seed)
    assert find_canaries(before + canary.value.encode() + after, [canary])
