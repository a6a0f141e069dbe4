import quopri
from base64 import b64encode
from email.header import Header

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.detect.mail_codes import mail_view
from tests.growth import grows_in_proportion

NAME = "Jos\u00e9 Pe\u00f1alver"
PIECES = (
    "a",
    "=",
    "=\n",
    "=C3",
    "=B1",
    "=40",
    "=?utf-8?Q?",
    "?=",
    " ",
    "=?utf-8?B?w7E=?=",
    "_",
    "=E9",
    "?",
    "\r\n",
    "\u00e9",
)

TEXTS = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)


def shown(text: str) -> str:
    view = mail_view(text)
    return text if view is None else view.text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Pe=C3=B1alver, Pe=F1alver, ada=40mail.example", "Pe\u00f1alver, Pe\u00f1alver, ada@mail.example"),
        ("Pe=C3=\n=B1al=\r\nver", "Pe\u00f1alver"),
        ("=?utf-8?Q?Jos=C3=A9_Pe=C3=B1alver?=", f" {NAME} "),
        ("=?ISO-8859-1*es?q?Jos=e9_Pe=F1?=\r\n =?utf-8?Q?alver?=", f" {NAME} "),
        ("To: =?utf-8?B?Sm9zw6kgUGXDsWFsdmVy?= <x>", f"To: {NAME} <x>"),
        ("=?utf-8?B?Sm9zw6kg?= =?utf-8?B?UGXDsWFsdmVy?=", NAME),
        ("=?utf-16-be?B?AEoAbwBz?= =?koi8-r?Q?=ED?=", "Jos\u041c "),
        ("=?utf-8?B?Sm9zw6k?=", "Jos\u00e9"),
    ],
    ids=range(8),
)
def test_the_codes_of_mail_become_what_they_stand_for(text: str, expected: str) -> None:
    assert shown(text) == expected


@pytest.mark.parametrize(
    "text", ["", "a = b", "n=10&m=1f", "=?zip?B?aaaa?=", "=?nothing?Q?ab?=", "=?utf-8?B?a?="], ids=range(6)
)
def test_other_texts_have_no_such_view(text: str) -> None:
    assert mail_view(text) is None


@given(st.text(min_size=1, max_size=40).filter(lambda text: text.isprintable() and "?" not in text))
def test_what_the_standard_library_writes_is_read(text: str) -> None:
    assert text in shown(f"=?utf-8?B?{b64encode(text.encode()).decode()}?=")
    assert text.replace("\n", "") in shown(quopri.encodestring(text.encode()).decode())
    assert NAME in shown(Header(NAME, "utf-8").encode())


@given(TEXTS)
def test_every_interval_leads_back_to_whole_codes(text: str) -> None:
    view = mail_view(text)
    if view is None:
        return
    for at in range(len(view.text)):
        start, end = view.back(at, at + 1)
        assert 0 <= start < end <= len(text)
        assert view.touches(at, at + 1) or view.text[at] == text[start:end]


_UNITS = ("=\n", "=\r\n=", "=?", "=?a?q?b", "=?utf-8?Q?a?= ", "=?utf-8?B?w7E?=\n", "=C3", "=C3=\n")


@pytest.mark.parametrize("unit", _UNITS, ids=range(len(_UNITS)))
def test_codes_of_mail_take_linear_time(unit: str) -> None:
    assert grows_in_proportion(mail_view, unit, 5_000)
