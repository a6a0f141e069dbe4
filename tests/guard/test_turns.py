from privguard.core.entities import EntityType
from privguard.core.segments import Channel, Role, Segment
from privguard.core.spans import Span
from privguard.guard.turns import Place, places_of, turns_of, words_begun


def segment(path: str, role: Role, text: str = "x") -> Segment:
    return Segment(path=path, role=role, channel=Channel.TEXT, text=text)


def test_the_parts_of_a_message_stay_together_and_what_nobody_says_comes_first() -> None:
    segments = [
        segment("messages[0].content", Role.SYSTEM),
        segment("messages[1].content[0].text", Role.USER),
        segment("messages[1].content[1].text", Role.USER),
        segment("messages[2].content", Role.USER),
        segment("messages[3].tool_calls[0].function.arguments", Role.ASSISTANT),
        segment("tools[0].function.description", Role.OTHER),
    ]
    assert turns_of(segments) == ((5,), (0,), (1, 2), (3,), (4,))


def test_texts_without_messages_are_parted_by_who_speaks() -> None:
    segments = [segment("text.$.a", Role.USER), segment("text.$.b", Role.USER), segment("text", Role.ASSISTANT)]
    assert turns_of(segments) == ((0, 1), (2,))
    assert turns_of([]) == ()


def test_spans_belong_to_the_message_with_which_they_came_to_be_known() -> None:
    def span(start: int) -> Span:
        return Span(start=start, end=start + 1, kind=EntityType.PERSON, score=1.0, source="test")

    rows = [[span(0), span(6), span(3)], [span(0)], []]
    assert places_of([(2,), (0,), (1,)], rows, [[1, 2, 1], [2], []]) == (
        (),
        (Place(0, 0), Place(0, 2)),
        (Place(0, 1), Place(1, 0)),
    )


def test_the_words_of_the_model_that_end_a_request_are_begun() -> None:
    asked = segment("messages[0].content", Role.USER)
    begun = segment("messages[1].content", Role.ASSISTANT, "{")
    beside = [segment("system", Role.SYSTEM), segment("tools[0].description", Role.OTHER)]
    assert words_begun([asked, begun, *beside]) == "{"
    assert words_begun([begun, asked, *beside]) == ""
    assert words_begun([]) == ""
