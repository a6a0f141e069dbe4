from privguard_adapters.wire.batch_lines import notes_of
from privguard_adapters.wire.kept_names import names_in, note_of
from privguard_adapters.wire.openai_responses import RESPONSES
from privguard_adapters.wire.reply import ReplyRules
from privguard_adapters.wire.reply_names import ReplyNames

NAMES = ReplyNames(tools={"a_1": "a"}, arguments={"a_1": {"k_1": "k"}}, output={"o_1": "Zoë"})
NONE = ReplyNames()


def test_names_come_back_as_they_were_written() -> None:
    assert names_in(note_of(NAMES, NONE)) == NAMES
    assert note_of(NONE, NONE) == {}
    assert names_in({"rules": "{}", "other": "no JSON"}) == NONE
    assert names_in(notes_of(RESPONSES, ReplyRules(json_reply=True, names=NAMES), is_kept=True)) == NAMES


def test_the_notes_of_several_requests_are_read_as_one_and_the_same_is_noted_once() -> None:
    other = ReplyNames(tools={"b_1": "b"}, arguments={"a_1": {"l_1": "l"}})
    both = {**note_of(NAMES, NONE), **note_of(other, NONE), **note_of(NAMES, NONE)}
    assert len(both) == 2
    assert names_in(both) == ReplyNames(
        tools={"a_1": "a", "b_1": "b"}, arguments={"a_1": {"k_1": "k", "l_1": "l"}}, output=NAMES.output
    )


def test_a_name_of_two_meanings_stays_as_it_left_but_for_the_request_that_has_it_itself() -> None:
    other = ReplyNames(tools={"a_1": "A"})
    assert names_in({**note_of(NAMES, NONE), **note_of(other, NONE)}).tools == {}
    assert names_in(note_of(other, NAMES)) == ReplyNames(
        tools={"a_1": "A"}, arguments=NAMES.arguments, output=NAMES.output
    )
