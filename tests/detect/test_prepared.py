import re
from collections.abc import Callable, Iterable
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privguard.detect import (
    accounts,
    contact,
    credentials,
    dates,
    devices,
    id_shapes,
    people,
    phones,
    places,
    references,
    secrets,
)
from privguard.detect.prepared import Leads, Prepared, line_start, match_at, places_of

Starts = Callable[[Prepared], Iterable[int]]


def _numbers(view: Prepared) -> list[int]:
    return [start for start, _ in view.numbers]


def _words(leads: Leads) -> Starts:
    return leads.starts


def _numbers_and(leads: Leads) -> Starts:
    return lambda view: sorted({*_numbers(view), *leads.starts(view)})


def _named_dates(view: Prepared) -> list[int]:
    leads = (dates._MONTH_LEADS, dates._WEEKDAY_LEADS)
    return sorted({*_numbers(view), *chain.from_iterable(lead.starts(view) for lead in leads)})


def _introducing(view: Prepared) -> credentials._Words:
    return credentials._Words.of(view.folded)


# Each pattern that is tried at chosen places alone, with these places.
GATES: dict[str, tuple[re.Pattern[str], Starts]] = {
    "user field": (contact._USER_FIELD, _words(contact._USER_WORD)),
    "user": (contact._USER_LOOSE, _words(contact._USER_WORD)),
    "url": (contact._URL, lambda view: contact._url_starts(view.text)),
    "bare url": (contact._BARE, lambda view: contact._bare_starts(view.text)),
    "account": (accounts._ACCOUNT, _words(accounts._ACCOUNT_LEADS)),
    "sort code": (accounts._SORT_CODE, _numbers),
    "amount": (accounts._AMOUNT, accounts._amount_starts),
    "imei": (devices._IMEI, _numbers),
    "ipv4": (devices._IPV4, _numbers),
    "serial": (devices._SERIAL, _words(devices._SERIAL_LEADS)),
    "plate": (devices._PLATE, _words(devices._PLATE_LEADS)),
    "vin": (devices._VIN, lambda view: [start for start, _ in view.codes]),
    "phone": (phones._CANDIDATE, phones._starts),
    "assigned phone": (phones._ASSIGNED, phones._starts),
    "spoken phone": (phones._SPOKEN, _words(phones._SPOKEN_LEADS)),
    "identity": (references._GOV, _words(references._GOV_LEADS)),
    "reference": (references._RECORD, _words(references._RECORD_LEADS)),
    "reference shape": (references._SHAPED, references._shaped_starts),
    "numeric date": (dates._NUMERIC, _numbers),
    "named date": (dates._NAMED, _named_dates),
    "day and month": (dates._DAY_MONTH, _words(dates._DAY_MONTH_LEADS)),
    "log date": (dates._LOG, _numbers),
    "birth": (dates._BORN, _words(dates._BORN_LEADS)),
    "age field": (dates._AGE_FIELD, _words(dates._AGE_FIELD_LEADS)),
    "age said": (dates._AGE_SAID, _words(dates._AGE_SAID_LEADS)),
    "age of": (dates._AGE_OF, _words(dates._AGE_OF_LEADS)),
    "english address": (
        places._EN,
        lambda view: sorted({*_numbers(view), *(unit.start() for unit in places._UNIT_START.finditer(view.text))}),
    ),
    "unit address": (places._UNIT_ADDRESS, _words(places._UNIT_LEADS)),
    "german postcode": (places._DE_CODE, places._de_code_starts),
    "french address": (places._FR, _numbers),
    "romance address": (places._ROMANCE, _words(places._ROMANCE_LEADS)),
    "post box": (places._BOX, _words(places._BOX_LEADS)),
    "british postcode": (places._GB_POSTCODE, lambda view: [start for start, _ in view.codes]),
    "title": (people._TITLE, _words(people._TITLE_LEADS)),
    "introduction": (people._INTRODUCED, _words(people._INTRODUCED_LEADS)),
    "signature in a line": (people._SIGNED_INLINE, _words(people._SIGNED_LEADS)),
    "salutation": (
        people._SALUTATION,
        lambda view: people._behind_blanks(view.text, people._SALUTATION_LEADS.starts(view)),
    ),
    "assigned secret": (credentials._ASSIGNED, lambda view: _introducing(view).assigned(view.text)),
    "loose secret": (credentials._LOOSE, lambda view: _introducing(view).loose()),
    "pass phrase": (credentials._PHRASE, lambda view: _introducing(view).of_phrases(view.folded)),
    "identity number": (id_shapes._NUMBERS, id_shapes._number_starts),
    "identity code": (id_shapes._CODES, id_shapes._code_starts),
    "key": (secrets._KEYS, lambda view: secrets._key_starts(view.text)),
}
FRAGMENTS = (
    "account 12345678", "Konto-Nr. 99", "user name: ada_roth", "handle @ben", "£ 1,200.50", "US$5k", "EUR 17 ",
    "3 kr", "4111 1111 1111 1111", "203.0.113.7", "serial no: AB-12345", "Kennzeichen B AR 4711", "WBA3A5C50CF256651",
    "+44 20 7946 0018", "(406) 555-0171", "tel=0044207946", "double oh seven one two three four five",
    "passport no AB123", "order_no: 4711-AB", "our ref", "tax-id", "12/05/2024", "2024-05-12", "5 May 2024",
    "Sept. 3rd, 1999", "3.5.", "am ", "born1990-01-02", "dob: ", "aged34", "I'm 34, ", "son Ben is 7.",
    "12 High Street, ", "Flat 3, ", "D-10115 Berlin", "5 rue du Lac", "Calle Mayor 5", "P.O. Box 117", "SW1A 2AA",
    "Dr. Ada Roth", "my name is Ada", "Dear Ben,", "Thanks, ", "best regards", "Ben Kole", "password: hunter22!",
    "api_key=", "client secret is ", "abc123XYZ789", "my-api-token:", "PIN code 4471", "passphrase is ",
    "correct horse battery staple,", "https://ada.example/u/ben?id=12345678", "ada.example/x", "www.",
    "sk-abcdefghij0123456789", "eyJhbGciOi.eyJzdWIi", "Kullan\u0131c\u0131 ad\u0131", "\u017f", "\u212a", "\u0130",
    "RSSMRA85T10A562T", "MORGA 657054 SM9IJ", "QQ 12 34 56 C", "X1234567A", "900101/1234", "078-05-1120",
    "é", "歳", "_", "-", " ", " ", "\n", ": ", "=", "'", '"', "(", ")", "/", "7", "A", "#",
)  # fmt: skip
texts = st.lists(st.sampled_from(FRAGMENTS) | st.text(alphabet="aA1 .:-_/\n'", max_size=3), max_size=12).map("".join)


@pytest.mark.parametrize(("pattern", "starts"), GATES.values(), ids=GATES.keys())
@settings(max_examples=40)
@given(text=texts)
def test_a_pattern_that_is_tried_at_its_places_alone_loses_no_match(
    pattern: re.Pattern[str], starts: Starts, text: str
) -> None:
    gated = [match.span() for match in match_at(pattern, text, starts(Prepared(text=text)))]
    assert gated == [match.span() for match in pattern.finditer(text)]


@given(st.text(alphabet="aB1_ \u0130é-"))
def test_tokens_stand_where_they_are_said_to_stand(text: str) -> None:
    view = Prepared(text=text)
    found = sorted((start, token) for token, starts in view.tokens.items() for start in starts)
    assert found == [(match.start(), match.group()) for match in re.finditer(r"\w+", view.folded)]


def test_a_word_is_listed_by_its_letters_and_without_underscores_as_well() -> None:
    words = Prepared(text="born1990 __Name__ born").words
    assert words["born"] == [0, 18]
    assert words["born1990"] == [0]
    assert words["name"] == [9]


def test_codes_hold_letters_and_digits() -> None:
    assert Prepared(text="AB12 17 word _ 7x").codes == [(0, "ab12"), (15, "7x")]


def test_places_of_several_parts_are_in_order() -> None:
    assert places_of("abcabc", "c", "ab") == [0, 2, 3, 5]


@pytest.mark.parametrize("text", ["account no", "accountno", "account_no", "Account. No", "account-no"])
def test_a_gap_of_leading_words_is_any_gap(text: str) -> None:
    assert list(Leads("account_no").starts(Prepared(text=text))) == [0]


def test_stems_are_beginnings_of_words() -> None:
    assert list(Leads("a", stems=("immatricul",)).starts(Prepared(text="l'immatriculation a"))) == [2, 18]


def test_an_alternative_that_begins_with_no_word_is_refused() -> None:
    with pytest.raises(ValueError, match="no word"):
        Leads("- dash")


@given(st.text(alphabet="ab ", max_size=30))
def test_matching_at_every_place_is_finding(text: str) -> None:
    pattern = re.compile("a+b?")
    spans = [match.span() for match in match_at(pattern, text, range(len(text)))]
    assert spans == [match.span() for match in pattern.finditer(text)]


@pytest.mark.parametrize(
    ("at", "within", "start"), [(0, 4, 0), (2, 4, 0), (5, 3, 3), (5, 2, None), (6, 9, 3), (8, 2, None)]
)
def test_a_line_begins_behind_the_last_break_unless_that_is_too_far(at: int, within: int, start: int | None) -> None:
    assert line_start("ab\ncdefgh", at, within=within) == start
