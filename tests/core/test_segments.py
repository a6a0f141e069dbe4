from dataclasses import replace

from privguard.core.edits import Edit
from privguard.core.segments import Channel, Role, Segment
from privguard.guard.shapes import text_segments

EDIT = Edit(start=0, end=3, replacement="[X]")
SEGMENT = Segment(path="p", role=Role.USER, channel=Channel.TEXT, text="[X] asks", edits=(EDIT,))


def test_a_segment_changes_a_text_by_its_edits_where_they_say_all_of_it() -> None:
    assert SEGMENT.change_of("Ada asks") == (EDIT,)
    assert replace(SEGMENT, text="[X] asks more").change_of("Ada asks") == "[X] asks more"
    assert replace(SEGMENT, edits=()).change_of("Ada asks") == "[X] asks"


def test_where_a_segment_stands_makes_no_other_segment_of_it() -> None:
    (key, value) = text_segments('{"a": "Zo\\u00eb"}')
    assert value.written is not None
    assert value == replace(value, written=None)
    assert (value.written.spelled(2, 3), value.written.in_document) == ("\\u00eb", True)
    assert key != value
