from privguard.core.edits import Edit
from privguard.core.segments import Channel, Role, Segment


def segment(text: str, *edits: Edit) -> Segment:
    return Segment(path="text", role=Role.USER, channel=Channel.TEXT, text=text, edits=edits)


def test_edits_are_told_where_they_are_all_that_changed() -> None:
    edit = Edit(start=0, end=3, replacement="[P]")
    assert segment("[P] here", edit).change_of("Ada here") == (edit,)


def test_a_text_that_its_edits_do_not_make_is_told_whole() -> None:
    edit = Edit(start=0, end=3, replacement="[P]")
    assert segment("[P] there", edit).change_of("Ada here") == "[P] there"
    assert segment("[P] here").change_of("Ada here") == "[P] here"


def test_neither_repr_nor_equality_tells_of_edits() -> None:
    edit = Edit(start=0, end=3, replacement="[P]")
    assert segment("Ada", edit) == segment("Ada")
    assert "Ada" not in repr(segment("Ada", edit))
