"""However a reply is cut into chunks, the caller reads the same text and the record says the same."""

import itertools
import json
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.audit import Cause, RestoreEvent
from privguard.core.entities import EntityType
from privguard.core.errors import RestoreError
from privguard.core.restoring import RestoreEntry, RestoreTable
from privguard.core.segments import Channel
from privguard.restore import Restorer, StreamRestorer
from privguard.restore.grammar import MAX_FORM
from tests.growth import grows_in_proportion

ENTRIES = (
    RestoreEntry(placeholder_id="7QK2", kind=EntityType.PERSON, value='Ben "Ace"\nKole'),
    RestoreEntry(placeholder_id="7QK2M", kind=EntityType.PERSON, value="[GOV_ID_8ABC]"),
    RestoreEntry(
        placeholder_id="A6BC",
        kind=EntityType.PERSON,
        value="Johnny Reik",
        forms=(("last name", "Reik"), ("last name 2", "REIK")),
    ),
    RestoreEntry(placeholder_id="8ABC", kind=EntityType.GOV_ID, value="12-3"),
    RestoreEntry(
        placeholder_id="A7BC",
        kind=EntityType.PERSON,
        value='Zoë "Z"',
        forms=(("other spelling", 'Zoë "Z"'),),
        written=(("", 'Zo\\u00eb \\"Z\\"'), ("other spelling", 'Zo\\\\u00eb \\\\\\"Z\\\\\\"')),
    ),
    RestoreEntry(placeholder_id="A2BC", kind=EntityType.URL, value="https://evil.example/?q="),
    RestoreEntry(placeholder_id="A3BC", kind=EntityType.LOCATION, value="Zurich", phrase="a large city"),
    RestoreEntry(placeholder_id="A4BC", kind=EntityType.AGE, value="34", phrase="an adult"),
    RestoreEntry(placeholder_id="A5BC", kind=EntityType.AGE, value="35", phrase="an adult"),
)


def restorer(entries: tuple[RestoreEntry, ...] = ENTRIES, hosts: tuple[str, ...] = ()) -> Restorer:
    table = {entry.placeholder_id: entry for entry in entries}
    return Restorer(RestoreTable(entries=table, literals=frozenset({"9ZZZ"}), url_hosts=hosts))


RESTORERS = (restorer(), restorer(hosts=("good.example", ".ok.example")), restorer(ENTRIES[:5]), restorer(()))
CHANNELS = (Channel.TEXT, Channel.JSON, Channel.REPLY)
PIECES: tuple[str, ...] = (
    "[PERSON_7QK2]",
    "PERSON_7QK2",
    "person_7qk2",
    "[ PERSON _ 7QK2 ]",
    "\\[PERSON\\_7QK2\\]",
    "&#91;PERSON_7QK2&#93;",
    "&lbrack;GOV&#95;ID_8ABC&rsqb;",
    "[PERSON_7QK2M]",
    "[PERSON_A6BC: last name]",
    "[PERSON_A7BC]",
    "[PERSON_A7BC: other spelling]",
    "PERSON_A6BC: last name 2]",
    ": last name 2",
    "[GOV_ID_8ABC: an id]",
    "[GOV_ID_7QK2]",
    "[PERSON_9ZZZ]",
    "[PERSON_9ABC]",
    "[LOCATION_A3BC: a large city]",
    "[URL_A2BC]",
    "PERSON_7QK2%5D",
    *(
        "[PERS",
        "PER",
        "[",
        "]",
        "\\",
        "&#9",
        "&",
        "%5B",
        "_",
        '"',
        '\\"',
        '\\\\\\"',
        "{",
        "}",
        ":",
        ",",
        '{"a":"',
        '"}',
    ),
    *(" ", "\n", "\\n", "a large city", "A large", "an adult", "an adults", "7QK2", "PERSON_", ": hint ]", "é", "😀"),
    *(
        "https://",
        "https:",
        "//",
        "www.",
        "good.example/",
        "x.ok.example/?q=",
        "u@",
        "![x](",
        "](<",
        "<",
        ">",
        "src=",
        "'",
    ),
    *("\\u005b", "\\u005d", "\\u005f", "&#58;", "&sol", "\\/", "(", ")", ".", "x", "w", "C:\\", "  ", '="', "\t"),
)
MANGLED = (
    *("[PERSON-7QK2]", "[PERSON 7QK2]", "[Person7QK2]", "[GOV \n ID_\n> 8ABC", "[GovId8ABC", "[PERSON__7QK2]"),
    *("［PERSON＿7QK2］", "【人物_7QK2】", "「PERSON 7QK2」", "[\\u4eba\\u7269_7QK2]", "[人物7QK2]", "[NOMBRE_7QK2]"),
    *(
        "「",
        "」",
        "【",
        "】",
        "⟦",
        "＿",
        "Ｐ",
        "：",
        "{",
        "{{",
        "}}",
        "<",
        ">",
        "&lt;",
        "&amp;",
        "amp;",
        "#91;",
        "$",
        "= ",
    ),
    *("<PERSON_7QK2>", "{{PERSON_7QK2}}", "{ PERSON_7QK2 }", "[**PERSON_7QK2**]", "**", "`", "\\ud835\\udc0f", "\\ud8"),
    *("𝐏ERSON_7QK2", "𝟕QK2", "\u200b", "\u00ad", "\u200b\u200b\u200b", "\\u200b", "&shy;", "\u200b" * 5, "\\u30"),
    *("'s", "s", "’s", "'nin", "さん", "\\u3055", "-nak", ":n", "А", "а", "٢", "PERSON_7QK2s", "7QK2'", " M]", "_x"),
    *("[PERSON_7QK2 ", "[PERSON_A6BC and ", " said so, and went on for a long while", "[PERSON_A6BC", "\n: last name]"),
    *("\n> ", " |\n| ", "<br>", "\\r\\n", "](http", "(", "(mailto:", "([URL_A2BC])", "[PERSON_7QK2](", "ttp:", "MY_"),
    *("%5BPERSON_7QK2%5D", "%7bPERSON%5F7QK2%7D", "%5", "5D", "[index", "rows[", "[LOCATION 7QK2]", "[URLAUBER 7QK2"),
)
PIECES += MANGLED
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


def run(stream: StreamRestorer, text: str, cuts: list[int]) -> tuple[str, Counter[RestoreEvent]]:
    edges = [0, *cuts, len(text)]
    restored = "".join([stream.feed(text[start:end]) for start, end in itertools.pairwise(edges)]) + stream.flush()
    return restored, Counter(stream.events)


@given(text=TEXTS, channel=st.sampled_from(CHANNELS), which=st.sampled_from(range(len(RESTORERS))), data=st.data())
def test_chunking_never_changes_restored_text(text: str, channel: Channel, which: int, data: st.DataObject) -> None:
    restore = RESTORERS[which]
    whole = restore.restore(text, channel)
    expected = (whole.text, Counter(whole.events))
    assert run(restore.stream(channel), text, list(range(1, len(text)))) == expected
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=4)))
    assert run(restore.stream(channel), text, cuts) == expected


@given(text=TEXTS, channel=st.sampled_from(CHANNELS), which=st.sampled_from(range(len(RESTORERS))), data=st.data())
def test_the_places_of_what_was_put_in_are_told_however_it_is_cut(
    text: str, channel: Channel, which: int, data: st.DataObject
) -> None:
    def places(cuts: list[int]) -> tuple[str, list[tuple[int, int]]]:
        stream = RESTORERS[which].stream(channel, notes_extents=True)
        restored = ""
        found: list[tuple[int, int]] = []
        for start, end in itertools.pairwise([0, *cuts, len(text)]):
            restored += stream.feed(text[start:end])
            found += stream.take_extents()
            assert all(place[1] <= len(restored) for place in found)
        restored += stream.flush()
        return restored, [*found, *stream.take_extents()]

    restored, found = places([])
    known = [each for each in RESTORERS[which].restore(text, channel).events if each.placeholder_id]
    # One placeholder that stays may be several, with words of the model's own between them.
    assert len(found) >= sum(each.count for each in known)
    assert all(start < end <= behind for (start, end), (behind, _) in itertools.pairwise([*found, (len(restored), 0)]))
    rest, at = "", 0
    for start, end in found:
        rest, at = rest + restored[at:start], end
    # What is left of the reply is the model's own, in its order.
    letters = iter(text)
    assert all(letter in letters for letter in rest + restored[at:])
    assert places(sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=4)))) == (restored, found)


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("[PERSON_7QK2]", "[PERSON_7QK2]"),
        ("[ person – 7qk2 ]", "[ person – 7qk2 ]"),
        ("[Cleo Marsh 7QK2]", "[ 7QK2]"),
        ("[Cleo Marsh_7QK2: she]", "[_7QK2: she]"),
        ("[PERSON_7QK2'Marsh]", "[PERSON_7QK2]"),
        ("[PERSON_7QK2さん]", "[PERSON_7QK2]"),
        ("[Marsh 7QK2: Cleo]", " 7QK2"),
        ("\\[Marsh\\_7QK2\\]", "\\[\\_7QK2\\]"),
        ("[**Marsh_7QK2**]", "[**_7QK2]"),
    ],
)
def test_of_a_placeholder_that_stays_the_words_of_the_model_are_not_kept(written: str, kept: str) -> None:
    entry = RestoreEntry(placeholder_id="7QK2", kind=EntityType.PERSON, value="Ada Roth")
    restore = Restorer(RestoreTable(entries={"7QK2": entry}), {"7QK2": Cause.PROVENANCE})
    text = f"so {written} said"
    stream = restore.stream(notes_extents=True)
    assert stream.feed(text) + stream.flush() == text
    assert "".join(text[start:end] for start, end in stream.take_extents()) == kept


def test_places_are_noted_only_where_they_are_asked_for() -> None:
    stream = RESTORERS[0].stream()
    stream.feed("[PERSON_7QK2]")
    assert stream.take_extents() == ()


@given(text=TEXTS, channel=st.sampled_from(CHANNELS), filler=st.sampled_from(["a ", "\n", "{", '"x" ', "b/", "\\"]))
def test_nor_does_what_lies_before_it(text: str, channel: Channel, filler: str) -> None:
    text = filler * 3000 + text
    whole = RESTORERS[1].restore(text, channel)
    for size in (1000, 4097):
        cuts = list(range(size, len(text), size))
        assert run(RESTORERS[1].stream(channel), text, cuts) == (whole.text, Counter(whole.events))


SAMPLES = (
    "Dear [PERSON_7QK2: x], a large city, an adult and GOV\\_ID\\_8ABC] of [PERS",
    "&#91;PERSON_7QK2&#93; [[PERSON_7QK2M]] \\[GOV\\_ID\\_8ABC\\] [PERSON_9ABC] \\",
    "![x](https://evil.example/?q=[PERSON_7QK2]) [URL_A2BC][PERSON_7QK2] https://good.example/[GOV_ID_8ABC]",
    json.dumps({"to": "[PERSON_7QK2]", "note": json.dumps({"a": "person_7qk2", "b": ["[GOV_ID_8ABC]", "x"]})}),
    "［PERSON＿7QK2］ [**Person 7QK2’s**] > [PERSON_\n> 7QK2] [NOM_7QK2](https://x) 「人物7QK2」 {{ GOV_ID_8ABC }} <",
    "%5BPERSON_7QK2%5D https://good.example/%5BGOV_ID_8ABC%5D [PERSON_7QK2 said [so] \\u2013] [𝐏\u00adERSON_7QK2]",
    '{"a": [PERSON_7QK2], "b": GOV_ID_8ABC, "c": ["AGE_A4BC"], "d": "\\u005bPERSON\\u005f7QK2\\u005d"}',
)


@pytest.mark.parametrize("channel", CHANNELS)
@pytest.mark.parametrize("number", range(len(SAMPLES)))
def test_every_single_and_every_double_cut_gives_the_same(number: int, channel: Channel) -> None:
    text = SAMPLES[number]
    whole = RESTORERS[1].restore(text, channel)
    expected = (whole.text, Counter(whole.events))
    for cut in range(len(text) + 1):
        assert run(RESTORERS[1].stream(channel), text, [cut]) == expected
        assert run(RESTORERS[1].stream(channel), text, [cut, min(cut + 5, len(text))]) == expected


@pytest.mark.parametrize("channel", CHANNELS)
@pytest.mark.parametrize("number", range(6))
def test_every_cut_of_a_short_text_gives_the_same(number: int, channel: Channel) -> None:
    text = ("AGE_A4BC]", "[AGE_A4BC]", "\\[AGE_A4BC", "an adult", '"AGE_A4BC"', "https://a[")[number]
    expected = RESTORERS[0].restore(text, channel)
    inner = range(1, len(text))
    for count in range(len(text)):
        for cuts in itertools.combinations(inner, count):
            assert run(RESTORERS[0].stream(channel), text, list(cuts)) == (expected.text, Counter(expected.events))


def test_a_placeholder_cut_in_two_does_not_show_its_half() -> None:
    stream = RESTORERS[0].stream()
    assert stream.feed("to [PERS") == "to "
    assert stream.feed("ON_7QK2] and") == ENTRIES[0].value + " and"


@pytest.mark.parametrize("channel", CHANNELS)
def test_prose_passes_at_once(channel: Channel) -> None:
    stream = RESTORERS[2].stream(channel)
    for word in ["Dear ", "reader", ", ", "the fox\n", "jumps. ", "2 > 1; ", "fin", "é 😀 "]:
        assert stream.feed(word) == word
    assert stream.flush() == ""


def test_five_hundred_words_are_not_kept_for_the_placeholder_behind_them() -> None:
    stream = RESTORERS[0].stream()
    for _ in range(500):
        assert stream.feed("word ") == "word "
    assert stream.feed("[GOV_ID_8ABC].") == "12-3."


def test_a_whole_placeholder_waits_for_one_more_sign_that_may_make_it_a_link() -> None:
    stream = RESTORERS[0].stream()
    assert [stream.feed(chunk) for chunk in ("[GOV_ID_8ABC]", "(", "she)")] == ["", "", "12-3(she)"]
    assert [stream.feed(chunk) for chunk in ("[GOV_ID_8ABC]", "(https", "://")] == ["", "", "[12-3](https://"]
    assert (stream.feed("x [GOV_ID_8ABC]"), stream.flush()) == ("x ", "12-3")


@given(text=TEXTS, channel=st.sampled_from(CHANNELS))
def test_no_more_than_one_placeholder_is_held_back(text: str, channel: Channel) -> None:
    stream = RESTORERS[0].stream(channel)
    for letter in text:
        stream.feed(letter)
        assert len(stream._held) <= MAX_FORM


@given(st.text(st.characters() | st.sampled_from("[]\\&#_:;%{}\"'PERSON7QK2 \n"), max_size=60))
def test_a_text_that_holds_nothing_of_the_request_comes_back_as_it_is(text: str) -> None:
    for channel in CHANNELS:
        assert run(restorer(()).stream(channel), text, list(range(1, len(text))))[0] == text


def test_characters_that_take_several_bytes_are_unharmed() -> None:
    text = "é😀\u0301אב [PERSON_7QK2] \U0001f468\u200d\U0001f469 \ud83d"
    expected = text.replace("[PERSON_7QK2]", ENTRIES[0].value)
    assert run(RESTORERS[0].stream(), text, list(range(1, len(text))))[0] == expected


def test_a_placeholder_behind_two_megabytes_is_restored_and_little_is_kept() -> None:
    stream = RESTORERS[1].stream(Channel.JSON)
    chunk = "lorem ipsum [1] a_b https://a.example/x/y " * 50
    sizes = []
    for _ in range(1000):
        assert stream.feed(chunk)
        url = stream._url
        kept = [stream._held, *stream._quiet, stream._emitted, url._tail, url._url, url._references._carry]
        sizes.append(sum(map(len, kept)))
    assert max(sizes) <= 3 * 4096
    assert stream.feed("[GOV_ID_8ABC] ") == "12-3 "


def test_a_cut_off_placeholder_stays_and_is_counted_once() -> None:
    for text in ("so [PERS", "so \\[PERSON\\_7Q", "so &#91;PERSON_"):
        restored, events = run(RESTORERS[0].stream(), text, list(range(1, len(text))))
        assert restored == text
        assert [(event.event.value, event.cause and event.cause.value, event.placeholder_id) for event in events] == [
            ("unrestored", "truncated", "")
        ]


def test_events_can_be_read_while_the_stream_runs() -> None:
    stream = RESTORERS[0].stream()
    stream.feed("[GOV_ID_8ABC] ")
    assert [event.count for event in stream.events] == [1]
    stream.feed("[GOV_ID_8ABC] ")
    assert [event.count for event in stream.events] == [2]


@given(text=TEXTS, channel=st.sampled_from(CHANNELS), which=st.sampled_from(range(len(RESTORERS))), data=st.data())
def test_a_pause_where_nothing_is_held_changes_nothing(
    text: str, channel: Channel, which: int, data: st.DataObject
) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=4)))
    stream, out = RESTORERS[which].stream(channel), ""
    for start, end in itertools.pairwise([0, *cuts, len(text)]):
        out += stream.feed(text[start:end])
        if not stream.holds:
            assert stream.pause() == ""
    assert (out + stream.flush(), Counter(stream.events)) == run(RESTORERS[which].stream(channel), text, [])


@pytest.mark.parametrize("cut", range(len('{"to": "[PERSON_7QK2]", "n": 1}')))
def test_a_text_goes_on_behind_a_pause_where_it_stood(cut: int) -> None:
    text = '{"to": "[PERSON_7QK2]", "n": 1}'
    stream = restorer().stream(Channel.JSON)
    restored = stream.feed(text[:cut]) + stream.pause() + stream.feed(text[cut:]) + stream.flush()
    in_two = text.index("[") < cut <= text.index("]")
    assert (json.loads(restored)["to"] == 'Ben "Ace"\nKole') is not in_two
    link = f"see https://evil.example/?q={'x' * cut}"
    stream = restorer().stream(Channel.TEXT)
    assert stream.feed(link) + stream.pause() + stream.feed("[PERSON_7QK2]") + stream.flush() == f"{link}[PERSON_7QK2]"


def test_nothing_can_be_fed_after_the_end() -> None:
    stream = RESTORERS[0].stream()
    stream.feed("[PERS")
    assert stream.flush() == "[PERS"
    assert stream.flush() == ""
    with pytest.raises(RestoreError, match="has ended"):
        stream.feed("x")


def test_an_empty_chunk_changes_nothing() -> None:
    stream = RESTORERS[0].stream()
    out = stream.feed("") + stream.feed("[PERSON_") + stream.feed("") + stream.feed("7QK2M]") + stream.feed("")
    assert out + stream.flush() == "[GOV_ID_8ABC]"


FLOODS = (
    *("[", "&#", "\\", "[PERSON ", "_", "A", "[PERSON_7QK2: ", ":", "//", "w.", '{"', " ", "\n", "PERSON_", " _7QK2"),
    *(
        "[a ",
        "[a_",
        "{",
        "<",
        "&amp;",
        "%5",
        "\\u",
        "\\ud835",
        "\u200b",
        "［",
        "[PERSON_7QK2 ",
        "[a [",
        "\n> ",
        "[7",
        "{ ",
    ),
    *("[[PERSON_7QK2", "&lowbar;", "_A2BC ", "a large cit", '\\"', "\n/", '="', "[PERSON_7QK2]", "[PERSON_7QK2: x] "),
)


@pytest.mark.long
@pytest.mark.parametrize("channel", CHANNELS)
@pytest.mark.parametrize("number", range(len(FLOODS)))
def test_a_flood_costs_time_in_proportion_to_its_length(number: int, channel: Channel) -> None:
    assert grows_in_proportion(lambda text: RESTORERS[0].restore(text, channel), FLOODS[number], 5_000, least_s=0.002)


@pytest.mark.long
def test_a_flood_of_brackets_letter_by_letter_is_read_to_its_end() -> None:
    for flood in ("[", "\\[", "&#91;", "PERSON_", "{", "[a ", "\u200b", "&amp;", "\\u200b"):
        text = (flood * 6_000)[:6_000]
        stream = RESTORERS[0].stream()
        assert "".join([stream.feed(letter) for letter in text]) + stream.flush() == text


def test_a_seeded_walk_over_longer_texts_finds_no_difference() -> None:
    rng = random.Random(11)  # noqa: S311 - a test that can be repeated
    for _ in range(150):
        text = "".join([rng.choice(PIECES) for _ in range(60)])
        channel = rng.choice(CHANNELS)
        whole = RESTORERS[1].restore(text, channel)
        cuts = sorted(rng.choices(range(len(text)), k=rng.randint(0, 30)))
        assert run(RESTORERS[1].stream(channel), text, cuts) == (whole.text, Counter(whole.events))
