"""What the caller gave comes back byte for byte from what leaves, however its values are spelled."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from privguard import minimize
from privguard.core.audit import Cause
from privguard.core.edits import Edit
from privguard.core.entities import EntityType
from privguard.core.memory import Memory
from privguard.core.plan import Action, Decision, Reason
from privguard.core.restoring import RestoreEntry, RestoreTable
from privguard.core.segments import Channel, Role, Segment
from privguard.core.spans import Span
from privguard.guard import Exchange, Guard, Parts
from privguard.guard.proofread import proofread, wholes_of
from privguard.guard.shapes import text_segments
from privguard.replacements.key import Key
from privguard.testing import FakeAbstractor, FakeDetector, FakeNeed, ListSink
from tests.guard.conftest import OPEN

VALUES = {
    "Zoë Hellmerich": EntityType.PERSON,
    "Zoe\u0308": EntityType.PERSON,
    'kV9"tr0mbone-Zq': EntityType.SECRET,
    "kV9!tr0mbone-Zq": EntityType.SECRET,
    "12 Rue\nBelmont": EntityType.ADDRESS,
    "a\\b-99": EntityType.RECORD_ID,
    "Belmont/Sud": EntityType.LOCATION,
    "[PERSON_7QK2]": EntityType.MISC,
    "hellmerich@belmont.example": EntityType.EMAIL,
}
NAMES = sorted(VALUES)
AROUND: tuple[str, ...] = (
    " ",
    "\n",
    "\r\n",
    '"',
    '\\"',
    "caf\\u00e9",
    "é",
    "\\ud83d\\ude00",
    "\ud83d",
    "{",
    "}",
    ":",
    "[",
    "]",
    ",",
)
AROUND = (*AROUND, "PERSON_", "[PERSON_AAA2]", "’s", ".", "\\u005b", "\\n", "", "x", "s", "'s", "(https://a.example")
AROUND = (
    *AROUND,
    "**",
    "`",
    "{{",
    "}}",
    "<",
    ">",
    "［",
    "】",
    "「",
    "」",
    "%5B",
    "&#93;",
    "&lt;",
    "\u200b",
    "\u00ad",
    "\n> ",
)


def restored(exchange: Exchange[str], channel: Channel) -> str:
    stream = exchange.stream(channel)
    cut = "".join([*map(stream.feed, exchange.outgoing), stream.flush()])
    assert cut == exchange.restore(exchange.outgoing, channel)
    return cut


@pytest.fixture(scope="module")
def guards() -> tuple[Guard, Guard]:
    def guard(need: FakeNeed) -> Guard:
        return Guard(
            Parts(
                detector=FakeDetector(VALUES),
                need=need,
                abstractor=FakeAbstractor(),
                profiles=OPEN,
                sink=ListSink(),
                key=Key.from_text("correct horse battery staple"),
            )
        )

    return guard(FakeNeed(b_redact=-9.0, b_abstract=-9.0)), guard(FakeNeed(b_redact=9.0, b_abstract=-9.0))


@st.composite
def spelled(draw: st.DrawFn, values: st.SearchStrategy[str] = st.sampled_from(NAMES)) -> str:  # noqa: B008
    """Write a value as the inside of a JSON string, with more escapes than it needs."""
    return "".join(
        f"\\u{ord(letter):04x}" if draw(st.integers(0, 3)) == 0 and ord(letter) < 0x10000 else json.dumps(letter)[1:-1]
        for letter in draw(values)
    )


PROSE = st.lists(
    st.sampled_from(NAMES) | spelled() | spelled().map('"{}"'.format) | st.sampled_from(AROUND), max_size=9
).map("".join)
STRINGS = st.lists(st.sampled_from((*NAMES, "café", 'a "q"', " and ", "[1] ", "{x} ")), min_size=1, max_size=3)


@st.composite
def documents(draw: st.DrawFn, depth: int = 0) -> str:
    fields = draw(st.lists(STRINGS.map("".join), min_size=1, max_size=4))
    strings = [draw(spelled(st.just(each))) for each in fields]
    if depth < 2 and draw(st.booleans()):
        strings.append(draw(spelled(st.just(draw(documents(depth + 1))))))
    return "{" + ", ".join(f'"{number}": "{string}"' for number, string in enumerate(strings)) + "}"


# Behind a bracket the quote may be part of the address, so nothing is written there.
IN_A_URL = '(https://a.example"' + "".join(f"\\u{ord(letter):04x}" for letter in "12 Rue\nBelmont") + '"'


@given(text=PROSE.filter(bool), abstract=st.booleans())
@example(text=IN_A_URL, abstract=False)
def test_prose_comes_back_as_it_was_spelled(guards: tuple[Guard, Guard], text: str, abstract: bool) -> None:
    with minimize(text, target="m", guard=guards[abstract]) as exchange:
        causes = {event.cause for event in exchange.restore_whole(exchange.outgoing, Channel.TEXT).events}
        assert restored(exchange, Channel.TEXT) == text or ("://" in text and Cause.URL in causes)


# Two backslashes behind a quote, but only for who reads the string of the document.
BEHIND_A_URL = json.dumps({"0": json.dumps({"0": '{"0": "\\u007bx}\\u0020Belmont/Sud"}'})}).replace('\\"', "\\u0022")


@given(text=documents(), abstract=st.booleans())
@example(text=BEHIND_A_URL, abstract=False)
def test_a_document_comes_back_as_it_was_spelled_in_both_channels(
    guards: tuple[Guard, Guard], text: str, abstract: bool
) -> None:
    with minimize(text, target="m", guard=guards[abstract]) as exchange:
        json.loads(exchange.outgoing)
        for channel in (Channel.JSON, Channel.TEXT):
            # Two backslashes behind a quote open a URL, in prose and in a string of the document.
            causes = {event.cause for event in exchange.restore_whole(exchange.outgoing, channel).events}
            assert restored(exchange, channel) == text or Cause.URL in causes


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "Zo\\u00eb Hellmerich", "n3":"Zoë Hellmerich"}',
        'Is "Zo\\u00eb Hellmerich" the same as Zoë Hellmerich?',
        'The config is {"password": "kV9\\"tr0mbone-Zq"} and done.',
        "The password is kV9!tr0mbone-Zq … \\u006b\\u0056\\u0039!tr0mbone-Zq",
        '{"by": "caf\\u00e9 of Zoë Hellmerich", "to": ""}',
        '{"body": "{\\"to\\": \\"Zo\\\\u00eb Hellmerich\\"}"}',
        '{"body": "\\"see Zo\\\\u00eb Hellmerich\\""}',
        '{"at": "12 Rue\\nBelmont"}\r\n',
        '{"in": "Belmont\\/Sud"}',
        "Zo\\u00eb Hellmerich",
        '["a\\ud83d Zoë Hellmerich"]',
        "\ud83d Zoë Hellmerich",
        "C:\\Zoë Hellmerich\\n",
        "<p>Zo&euml; Hellmerich</p> and Zo\\xeb&nbsp;Hellmerich, that is Zoë Hellmerich",
        '{"page": "<p>Zo&euml; &#72;ellmerich</p>", "by": "Zo\\\\xeb Hellmerich", "as": "Zoë Hellmerich"}',
        "To Zo\\u00eb H\\u0065llmerich, see Zoë Hellmerich",
    ],
)
def test_escapes_stay_where_they_were_written(guards: tuple[Guard, Guard], text: str) -> None:
    with minimize(text, target="m", guard=guards[0]) as exchange:
        assert "ellmerich" not in exchange.outgoing
        assert restored(exchange, Channel.TEXT) == text
        assert restored(exchange, Channel.JSON) == text


def test_an_answer_in_prose_shows_the_value_and_one_in_quotes_its_escapes(guards: tuple[Guard, Guard]) -> None:
    with minimize('{"name": "Zo\\u00eb Hellmerich"}', target="m", guard=guards[0]) as exchange:
        placeholder = json.loads(exchange.outgoing)["name"]
        assert exchange.restore(f"Dear {placeholder},") == "Dear Zoë Hellmerich,"
        assert exchange.restore(f'"a\\"b {placeholder}"') == '"a\\"b Zo\\u00eb Hellmerich"'
        assert exchange.restore(f'["{placeholder}"]', Channel.JSON) == '["Zo\\u00eb Hellmerich"]'


def test_what_was_written_in_a_string_of_a_string_is_escaped_anew_elsewhere(guards: tuple[Guard, Guard]) -> None:
    text = json.dumps({"body": json.dumps({"key": 'kV9"tr0mbone-Zq'})})
    with minimize(text, target="m", guard=guards[0]) as exchange:
        placeholder = json.loads(json.loads(exchange.outgoing)["body"])["key"]
        for channel in (Channel.TEXT, Channel.JSON):
            assert json.loads(exchange.restore(f'["{placeholder}"]', channel)) == ['kV9"tr0mbone-Zq']


FORMS = [json.loads(line) for line in (Path(__file__).parents[1] / "restore/forms.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("number", range(len(FORMS)))
def test_what_the_caller_typed_in_a_form_that_r_reads_comes_back(guards: tuple[Guard, Guard], number: int) -> None:
    placeholder = minimize("Zoë Hellmerich", target="m", guard=guards[0]).outgoing
    placeholder_id = placeholder[len("[PERSON_") : -1]
    full_width = "".join([chr(ord(letter) + 0xFEE0) for letter in placeholder_id])
    typed = FORMS[number]["written"].replace("7QK2", placeholder_id).replace("７ＱＫ２", full_width)
    for text in (f"Zoë Hellmerich and {typed} of hers", f"see {typed}\nZoë Hellmerich"):
        document = json.dumps({"0": text})
        for form, channel in (
            (text, Channel.TEXT),
            (document, Channel.JSON),
            (json.dumps({"0": document}), Channel.JSON),
        ):
            with minimize(form, target="m", guard=guards[0]) as exchange:
                assert "Hellmerich" not in exchange.outgoing
                assert restored(exchange, channel) == form


@pytest.mark.parametrize(
    "text",
    [
        "Zoë Hellmerich(https://a.example) and Zoe\u0308\u200b(www.a.example)",
        '{"0": "Zoë Hellmerich(mailto:x@a.example)"}',
        "[Zoë Hellmerich](https://a.example), [[Zoë Hellmerich]]",
        "{Zoë Hellmerich} {{Zoë Hellmerich}} <Zoë Hellmerich> 【Zoë Hellmerich】 「Zoë Hellmerich」",
        "[**Zoë Hellmerich**] [Zoë Hellmerich's] [Zoë Hellmerich said so] [Zoë Hellmerich",
    ],
)
def test_what_stands_around_a_value_stays_there(guards: tuple[Guard, Guard], text: str) -> None:
    for guard in guards:
        with minimize(text, target="m", guard=guard) as exchange:
            assert restored(exchange, Channel.TEXT) == text


def test_brackets_before_a_destination_are_a_links_unless_the_request_has_the_value_there(
    guards: tuple[Guard, Guard],
) -> None:
    for text, back in (
        ("Zoë Hellmerich", "[Zoë Hellmerich](https://a.example)"),
        ("Zoë Hellmerich(https://a.example)", "Zoë Hellmerich(https://a.example)"),
    ):
        with minimize(text, target="m", guard=guards[0]) as exchange:
            placeholder = exchange.outgoing.partition("(")[0]
            assert exchange.restore(f"{placeholder}(https://a.example)") == back


def test_a_number_comes_back_as_a_string(make_guard: Callable[..., Guard]) -> None:
    guard = make_guard(detector=FakeDetector({"4111111111111111": EntityType.FIN_ACCOUNT}))
    with minimize('{"n": 4111111111111111, "m": 4.111111111111111e15}', target="m", guard=guard) as exchange:
        assert exchange.restore(exchange.outgoing) == '{"n": "4111111111111111", "m": "4111111111111111"}'


def test_what_left_once_leaves_the_same_way_again(guards: tuple[Guard, Guard]) -> None:
    first = {"role": "tool", "content": '{"name": "Zo\\u00eb Hellmerich"}'}
    later = [{"role": "assistant", "content": "Yes."}, {"role": "user", "content": "Zoë Hellmerich?"}]
    alone = minimize([first], target="m", guard=guards[0])
    again = minimize([first, *later], target="m", guard=guards[0])
    assert again.outgoing[0] == alone.outgoing[0]
    assert again.restore(str(again.outgoing[2]["content"])) == "Zoë Hellmerich?"


def test_a_value_behind_a_link_of_the_caller_stays_in_a_reply_and_is_counted(guards: tuple[Guard, Guard]) -> None:
    text = '{"text": "https://belmont.example by Zoë Hellmerich"}'
    with minimize(text, target="m", guard=guards[0]) as exchange:
        back = exchange.restore_whole(exchange.outgoing)
        assert back.text == exchange.outgoing
        assert [event.cause for event in back.events] == [Cause.URL]


def entity(value: str = "Ada") -> RestoreTable:
    entry = RestoreEntry(placeholder_id="7QK2", kind=EntityType.PERSON, value=value)
    return RestoreTable(entries={"7QK2": entry})


def sent(text: str) -> tuple[Segment, ...]:
    edit = Edit(start=0, end=3, replacement="[PERSON_7QK2]")
    return (Segment(path="p", role=Role.USER, channel=Channel.TEXT, text=text, edits=(edit,)),)


DECIDED = Decision(
    span=Span(start=0, end=3, kind=EntityType.PERSON, score=1.0, source="fake"),
    action=Action.REDACT,
    reason=Reason.NEED,
    p_survive=1.0,
    placeholder_id="7QK2",
    replacement="[PERSON_7QK2]",
)


@pytest.mark.parametrize(("value", "is_exact"), [("Ada", True), ("ADA", False)])
def test_what_does_not_come_back_is_told_every_time(value: str, is_exact: bool) -> None:
    wholes = wholes_of(text_segments("Ada asks"))
    checked: Memory[bool] = Memory()
    for _ in range(2):
        misread = proofread(wholes, sent("[PERSON_7QK2] asks"), ((DECIDED,),), entity(value), checked)
        assert (misread is None) is is_exact
        assert misread is None or (misread.excess, misread.segments, misread.stuck) == (frozenset(), (0,), ())


def test_reprs_show_no_content() -> None:
    wholes = wholes_of(text_segments('{"a": "Zo\\u00eb"}'))
    assert "Zo" not in repr(wholes)
    assert all("Zo" not in repr(segment) for segment in text_segments('{"a": "Zo\\u00eb"}'))
