from privguard.core.entities import EntityType
from privguard.core.segments import Channel, Role, Segment
from privguard.core.spans import Span
from privguard.guard.entities import Mention, group_entities


def test_mentions_group_by_type_and_normalised_value_in_request_order() -> None:
    texts = ("Ada  ADA", "ada Ben")
    segments = [Segment(path="p", role=Role.USER, channel=Channel.TEXT, text=text) for text in texts]
    person = {"kind": EntityType.PERSON, "score": 1.0, "source": "test"}
    spans = (
        (Span(start=0, end=3, **person), Span(start=5, end=8, **person)),  # type: ignore[arg-type]
        (Span(start=0, end=3, **person), Span(start=4, end=7, **person)),  # type: ignore[arg-type]
    )
    ada, ben = group_entities(segments, spans)
    assert ada.mentions == (Mention(segment=0, place=0), Mention(segment=0, place=1), Mention(segment=1, place=0))
    assert ada.surface == "Ada"
    assert ben.mentions == (Mention(segment=1, place=1),)
    assert "Ada" not in repr(ada)
