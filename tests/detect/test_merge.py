from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.spans import Span
from privguard.detect.lists import SOURCE as DENIED
from privguard.detect.merge import merge, resolve
from privguard.detect.torn import mend

TEXT = "Dr. Ada Roth's e-mail (ada@roth.example) — call 😀 +44 20 7946 0018, 'x'"
_KINDS = [
    EntityType.SECRET,
    EntityType.PERSON,
    EntityType.EMAIL,
    EntityType.DATE,
    EntityType.URL,
    EntityType.GOV_ID,
    EntityType.PHONE,
]
_SOURCES = ["rules/a", "encoder", "presidio/spacy", "lists/deny", "spread/encoder"]


@st.composite
def spans(draw: st.DrawFn) -> Span:
    start = draw(st.integers(0, len(TEXT) - 1))
    end = draw(st.integers(start + 1, len(TEXT)))
    score = draw(st.sampled_from([0.5, 0.7, 0.85, 0.95, 1.0]))
    return Span(
        start=start, end=end, kind=draw(st.sampled_from(_KINDS)), score=score, source=draw(st.sampled_from(_SOURCES))
    )


def _covered(spans_: tuple[Span, ...] | list[Span]) -> set[int]:
    return {place for span in spans_ for place in range(span.start, span.end)}


@given(st.lists(spans(), max_size=8), st.sampled_from(["", TEXT]))
def test_the_result_is_sorted_and_disjoint(found: list[Span], text: str) -> None:
    merged = merge(found, text)
    assert all(left.end <= right.start for left, right in pairwise(merged))


@given(st.lists(spans(), max_size=8), st.sampled_from(["", TEXT]))
def test_merging_twice_changes_nothing(found: list[Span], text: str) -> None:
    merged = merge(found, text)
    assert merge(merged, text) == merged


@given(st.lists(spans(), max_size=6), st.randoms(use_true_random=False), st.sampled_from(["", TEXT]))
def test_the_order_of_the_spans_does_not_matter(found: list[Span], random: object, text: str) -> None:
    shuffled = list(found)
    random.shuffle(shuffled)  # type: ignore[attr-defined] # hypothesis types its random as object
    assert merge(shuffled, text) == merge(found, text)


@given(st.lists(spans(), max_size=8))
def test_without_a_text_nothing_covered_is_lost(found: list[Span]) -> None:
    assert _covered(merge(found)) == _covered(found)


@given(st.lists(spans(), max_size=8))
def test_with_a_text_no_letter_or_digit_is_lost_but_the_s_of_a_possessive(found: list[Span]) -> None:
    possessive = TEXT.index("'s") + 1
    wanted = {place for place in _covered(found) if TEXT[place].isalnum() and place != possessive}
    merged = resolve(found, TEXT)
    assert wanted <= _covered(merged.spans)
    assert wanted <= _covered(mend(merged.spans, merged.torn, TEXT))


def _span(start: int, end: int, kind: EntityType, score: float = 0.8, source: str = "rules/a") -> Span:
    return Span(start=start, end=end, kind=kind, score=score, source=source)


def test_a_secret_beats_whatever_is_longer() -> None:
    merged = merge([_span(0, 20, EntityType.URL, 0.95), _span(5, 9, EntityType.SECRET, 0.5)])
    assert [(span.start, span.end, span.kind) for span in merged] == [
        (0, 5, EntityType.URL),
        (5, 9, EntityType.SECRET),
        (9, 20, EntityType.URL),
    ]


def test_a_certain_identifier_beats_a_longer_guess() -> None:
    merged = merge([_span(0, 20, EntityType.ORGANIZATION), _span(5, 9, EntityType.EMAIL, 0.95)])
    assert (5, 9) in [(span.start, span.end) for span in merged if span.kind is EntityType.EMAIL]


def test_the_longer_of_two_guesses_wins() -> None:
    (merged,) = merge([_span(0, 12, EntityType.ORGANIZATION, 0.6), _span(8, 12, EntityType.LOCATION, 0.9)])
    assert merged.kind is EntityType.ORGANIZATION


def test_overlapping_parts_of_one_name_become_one_span() -> None:
    (merged,) = merge([_span(0, 8, EntityType.PERSON), _span(5, 12, EntityType.PERSON)])
    assert (merged.start, merged.end) == (0, 12)


def test_possessives_and_punctuation_are_trimmed_alike() -> None:
    text = "Eric's and Eric, (Eric) and ERIC’S and Eric\u00b4s"
    spans_ = [_span(0, 6, EntityType.PERSON), _span(11, 16, EntityType.PERSON), _span(17, 23, EntityType.PERSON)]
    spans_ += [_span(28, 34, EntityType.PERSON), _span(39, 45, EntityType.PERSON)]
    assert [text[span.start : span.end] for span in merge(spans_, text)] == ["Eric", "Eric", "Eric", "ERIC", "Eric"]


def test_the_full_stop_of_an_initial_or_a_suffix_belongs_to_the_name() -> None:
    text = "Sam L. Kole Jr. and Ada R. wait."
    spans_ = [_span(0, 14, EntityType.PERSON), _span(20, 25, EntityType.PERSON)]
    assert [text[span.start : span.end] for span in merge(spans_, text)] == ["Sam L. Kole Jr.", "Ada R."]


@pytest.mark.parametrize(
    ("marked", "kind", "covered"),
    [
        ("by |Orlandi S.r.l|., Bari", EntityType.ORGANIZATION, "Orlandi S.r.l."),
        ("by |Brandt e.K.| in Ulm", EntityType.ORGANIZATION, "Brandt e.K."),
        ("by |Orlandi.| Then", EntityType.ORGANIZATION, "Orlandi"),
        ("at |St Columba's,| divorced", EntityType.ORGANIZATION, "St Columba's"),
        ("at |St Columba’s|.", EntityType.EDUCATION, "St Columba’s"),
        ("at |Orlandi's| new office", EntityType.ORGANIZATION, "Orlandi"),
        ("a friend of |Orlandi's|.", EntityType.PERSON, "Orlandi"),
        ("in |'94| or", EntityType.DATE, "'94"),
        ("in |'1994'| or", EntityType.DATE, "1994"),
    ],
)
def test_signs_that_belong_to_a_name_or_a_year_stay(marked: str, kind: EntityType, covered: str) -> None:
    before, within, after = marked.split("|")
    text = before + within + after
    (merged,) = merge([_span(len(before), len(before + within), kind)], text)
    assert text[merged.start : merged.end] == covered
    assert merge([merged], text) == (merged,)


def test_no_sign_of_a_link_stays_between_it_and_the_secret_in_it() -> None:
    text = "GET /reset/confirm?pin=482913 HTTP"
    link, secret = _span(4, 29, EntityType.URL), _span(23, 29, EntityType.SECRET)
    merged = merge([link, secret], text)
    assert [text[span.start : span.end] for span in merged] == ["/reset/confirm?pin=", "482913"]
    assert merge(merged, text) == merged


def test_brackets_that_belong_to_a_number_stay() -> None:
    text = "ring (406) 555-0171)"
    (merged,) = merge([_span(5, 20, EntityType.PHONE)], text)
    assert text[merged.start : merged.end] == "(406) 555-0171"


@pytest.mark.parametrize("text", [".", "***", " — ", "’s"[:1], "\u200b"])
def test_mere_punctuation_is_a_span_only_where_it_is_a_secret_or_denied(text: str) -> None:
    end = len(text)
    assert merge([_span(0, end, EntityType.EMAIL)], text) == ()
    assert len(merge([_span(0, end, EntityType.SECRET)], text)) == 1
    assert len(merge([_span(0, end, EntityType.MISC, source=DENIED)], text)) == 1


@pytest.mark.parametrize("text", ["😀", "€", "़"])
def test_other_symbols_stay_as_they_are(text: str) -> None:
    assert len(merge([_span(0, len(text), EntityType.MISC)], text)) == 1


def test_the_tokens_that_a_loser_is_cut_in_are_told() -> None:
    text = "see ada_roth_cv.pdf, (ada@roth.example)"
    name = _span(4, 12, EntityType.PERSON, 1.0)
    email = _span(22, 38, EntityType.EMAIL, 1.0)
    assert resolve([name, _span(4, 19, EntityType.URL)], text).torn == ((4, 19),)
    assert resolve([email, _span(21, 39, EntityType.URL)], text).torn == ()
    assert resolve([name, _span(0, 19, EntityType.MISC)], text).torn == ((0, 3), (4, 19))


ENCODER = "encoder"


def test_of_two_that_cover_the_same_the_encoder_says_the_type() -> None:
    rule = Span(start=0, end=9, kind=EntityType.ORGANIZATION, score=0.8, source="rules/names")
    model = Span(start=0, end=9, kind=EntityType.EDUCATION, score=0.6, source=ENCODER)
    assert merge([rule, model]) == (model,)


def test_an_identifier_that_a_rule_is_certain_of_outranks_the_encoder() -> None:
    rule = Span(start=4, end=20, kind=EntityType.FIN_ACCOUNT, score=1.0, source="rules/iban")
    model = Span(start=0, end=20, kind=EntityType.PHONE, score=0.99, source=ENCODER)
    assert [(span.start, span.end, span.kind) for span in merge([rule, model])] == [
        (0, 4, EntityType.PHONE),
        (4, 20, EntityType.FIN_ACCOUNT),
    ]


@pytest.mark.parametrize(("score", "winner"), [(0.95, EntityType.SECRET), (0.6, EntityType.EMAIL)])
def test_a_secret_of_the_encoder_wins_where_it_is_sure(score: float, winner: EntityType) -> None:
    rule = Span(start=0, end=16, kind=EntityType.EMAIL, score=1.0, source="rules/email")
    model = Span(start=0, end=16, kind=EntityType.SECRET, score=score, source=ENCODER)
    assert [span.kind for span in merge([rule, model])] == [winner]


def test_a_rule_stays_certain_where_the_encoder_agrees() -> None:
    rule = Span(start=4, end=20, kind=EntityType.FIN_ACCOUNT, score=0.95, source="rules/iban")
    same = Span(start=4, end=20, kind=EntityType.FIN_ACCOUNT, score=0.99, source=ENCODER)
    longer = Span(start=0, end=20, kind=EntityType.PHONE, score=0.99, source=ENCODER)
    assert [(span.start, span.kind) for span in merge([rule, same, longer])] == [
        (0, EntityType.PHONE),
        (4, EntityType.FIN_ACCOUNT),
    ]


@pytest.mark.parametrize("source", ["encoder", "rules/a"])
@pytest.mark.parametrize("kind", [EntityType.MISC, EntityType.EMAIL])
def test_the_list_of_denied_terms_says_the_type_of_what_it_names_exactly(kind: EntityType, source: str) -> None:
    denied = Span(start=0, end=5, kind=EntityType.ORGANIZATION, score=1.0, source="lists/deny")
    other = Span(start=0, end=5, kind=kind, score=1.0, source=source)
    longer = Span(start=0, end=9, kind=kind, score=1.0, source=source)
    secret = Span(start=0, end=5, kind=EntityType.SECRET, score=1.0, source=source)
    assert [span.kind for span in merge([other, denied])] == [EntityType.ORGANIZATION]
    assert [span.kind for span in merge([other, denied, longer])] == [kind]
    assert [span.kind for span in merge([denied, secret])] == [EntityType.SECRET]


LABELLED = ("rules/identity", "rules/account", "rules/national-xy", "spread/rules/identity")


@pytest.mark.parametrize("source", LABELLED)
@pytest.mark.parametrize("floored", [EntityType.GOV_ID, EntityType.FIN_ACCOUNT])
@pytest.mark.parametrize("kind", [EntityType.PHONE, EntityType.RECORD_ID, EntityType.DATE])
@pytest.mark.parametrize(("start", "end"), [(4, 13), (4, 15), (0, 13), (5, 12)], ids=["same", "longer", "before", "in"])
def test_a_label_before_an_identity_number_or_an_account_outranks_the_encoder(
    source: str, floored: EntityType, kind: EntityType, start: int, end: int
) -> None:
    rule = Span(start=4, end=13, kind=floored, score=0.6, source=source)
    model = Span(start=start, end=end, kind=kind, score=0.99, source=ENCODER)
    assert rule in merge([rule, model])


@pytest.mark.parametrize("source", [ENCODER, f"spread/{ENCODER}"])
def test_only_a_rule_reads_a_label(source: str) -> None:
    other = Span(start=4, end=13, kind=EntityType.GOV_ID, score=0.6, source=source)
    model = Span(start=4, end=13, kind=EntityType.PHONE, score=0.8, source=ENCODER)
    assert merge([other, model]) == (model,)


@pytest.mark.parametrize("kind", [EntityType.URL, EntityType.ADDRESS, EntityType.FINANCE])
def test_what_another_rule_reads_as_something_longer_is_no_number_behind_a_label(kind: EntityType) -> None:
    rule = Span(start=4, end=13, kind=EntityType.GOV_ID, score=0.75, source="rules/identity")
    longer = Span(start=0, end=15, kind=kind, score=0.7, source="rules/other")
    assert merge([rule, longer]) == (longer,)


def test_a_number_that_a_rule_is_certain_of_outranks_a_label() -> None:
    rule = Span(start=4, end=13, kind=EntityType.GOV_ID, score=0.75, source="rules/identity")
    phone = Span(start=4, end=13, kind=EntityType.PHONE, score=0.95, source="rules/phone")
    assert merge([rule, phone]) == (phone,)


def test_a_label_is_not_lost_where_the_encoder_agrees() -> None:
    rule = Span(start=4, end=13, kind=EntityType.GOV_ID, score=0.75, source="rules/identity")
    same = Span(start=4, end=13, kind=EntityType.GOV_ID, score=0.8, source=ENCODER)
    other = Span(start=4, end=13, kind=EntityType.PHONE, score=0.99, source=ENCODER)
    assert [span.kind for span in merge([rule, same, other])] == [EntityType.GOV_ID]
