"""The scorer."""

from hypothesis import given
from hypothesis import strategies as st

from benchmarks.corpora import Gold, Item, Text
from benchmarks.detection.score import Found, Scores, score
from privguard.core.entities import EntityType

SCOPES = {"authored": frozenset(EntityType), "names": frozenset({EntityType.PERSON})}


def found(start: int, end: int, label: str = "PERSON", *, kept: bool = False) -> Found:
    return Found(start=start, end=end, label=label, kept=kept)


def item(text: str, *gold: Gold, source: str = "authored", conversation: bool = False) -> Item:
    return Item(id="t", source=source, lang="en", texts=(Text(text=text, gold=gold),), conversation=conversation)


def scored(one: Item, *spans: Found) -> Scores:
    return score([(one, (spans,))], SCOPES)


PERSON = Gold(start=0, end=8, label="PERSON")


def test_white_space_inside_a_span_need_not_be_covered() -> None:
    scores = scored(item("Ada Roth met Ben", PERSON), found(0, 3), found(4, 8))
    assert (scores.every.total.hits, scores.every.total.n) == (1, 1)


def test_a_span_that_lacks_one_letter_is_missed_but_its_characters_count() -> None:
    scores = scored(item("Ada Roth met Ben", PERSON), found(0, 7))
    assert scores.every.total.hits == 0
    assert (scores.characters.total.hits, scores.characters.total.n) == (6, 7)


def test_any_overlap_makes_a_found_span_right() -> None:
    scores = scored(item("Ada Roth met Ben", PERSON), found(7, 12), found(13, 16))
    assert (scores.precision.total.hits, scores.precision.total.n) == (1, 2)


def test_precision_is_asked_of_fully_annotated_sources_only() -> None:
    assert scored(item("Ada Roth", source="names"), found(0, 3)).precision.total.n == 0


def test_types_outside_the_scope_of_a_source_count_in_the_overall_recall_only() -> None:
    one = item("Ada Roth, 12 May", PERSON, Gold(start=10, end=16, label="DATE"), source="names")
    scores = scored(one, found(0, 8))
    assert (scores.every.total.hits, scores.every.total.n) == (1, 2)
    assert (scores.scoped.total.hits, scores.scoped.total.n) == (1, 1)


def test_masks_without_a_type_are_in_every_scope() -> None:
    one = item("Ada Roth", Gold(start=0, end=8, label="UNTYPED_MASK"), source="names")
    assert scored(one).scoped.total.n == 1


def test_texts_without_a_span_and_texts_with_public_ones_alone_are_counted_apart() -> None:
    public = Gold(start=0, end=8, label="PERSON", owners=("public", "none"))
    empty = scored(item("Nothing here"), found(0, 7, kept=True))
    famous = scored(item("Ada Roth", public), found(0, 8))
    assert (empty.clean.share("empty").hits, empty.altered.share("empty").hits) == (1, 0)
    assert (famous.clean.share("public").n, famous.clean.share("empty").n) == (1, 0)
    assert famous.altered.share("public").hits == 1


def test_messages_of_a_conversation_are_not_taken_for_clean_texts() -> None:
    assert scored(item("Nothing here", conversation=True), found(0, 7)).clean.total.n == 0


def test_direct_identifiers_and_secrets_are_summed_without_the_rest() -> None:
    one = item(
        "Ada Roth hunter2 Oslo",
        PERSON,
        Gold(start=9, end=16, label="SECRET"),
        Gold(start=17, end=21, label="LOCATION"),
    )
    scores = scored(one, found(9, 16, "SECRET"), found(17, 21, "LOCATION"))
    assert (scores.identifying.hits, scores.identifying.n) == (1, 2)


def test_misc_counts_on_neither_side_where_it_is_left_out() -> None:
    one = item("Ada Roth widget", PERSON, Gold(start=9, end=15, label="MISC"))
    scores = scored(one, found(0, 8), found(9, 15, "MISC"), found(9, 12, "DATE"))
    assert (scores.sharp.hits, scores.sharp.n) == (1, 1)
    assert (scores.sharp_precision.hits, scores.sharp_precision.n) == (2, 2)


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 8)), max_size=6))
def test_one_more_found_span_never_lowers_recall(places: list[tuple[int, int]]) -> None:
    one = item("Ada Roth and Ben Kole met", PERSON, Gold(start=13, end=21, label="PERSON"))
    spans = [found(start, min(25, start + length)) for start, length in places]
    hits = [scored(one, *spans[:count]).every.total.hits for count in range(len(spans) + 1)]
    assert hits == sorted(hits)


@given(st.lists(st.sampled_from(["hit", "miss"]), min_size=1, max_size=5))
def test_every_annotated_span_is_counted_once_whatever_is_found(outcomes: list[str]) -> None:
    results = [
        (item("Ada Roth met Ben", PERSON), ((found(0, 8),) if outcome == "hit" else (),)) for outcome in outcomes
    ]
    total = score(results, SCOPES).every.total
    assert (total.hits, total.n) == (outcomes.count("hit"), len(outcomes))
