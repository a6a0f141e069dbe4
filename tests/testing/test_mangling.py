import pytest

from privguard.testing.mangling import Mangle, mangle_placeholders


@pytest.mark.parametrize(
    ("mangle", "spoiled"),
    [
        (Mangle.NONE, "Dear [GOV_ID_7QK2], [x]"),
        (Mangle.LOWER, "Dear [gov_id_7qk2], [x]"),
        (Mangle.SPACES, "Dear [ GOV_ID_7QK2 ], [x]"),
        (Mangle.MARKDOWN, r"Dear \[GOV\_ID\_7QK2\], [x]"),
        (Mangle.HTML, "Dear &#91;GOV_ID_7QK2&#93;, [x]"),
        (Mangle.BARE, "Dear GOV_ID_7QK2, [x]"),
    ],
)
def test_only_the_placeholder_is_spoiled(mangle: Mangle, spoiled: str) -> None:
    assert mangle_placeholders("Dear [GOV_ID_7QK2], [x]", mangle) == spoiled


def test_a_hint_survives_unless_the_brackets_go() -> None:
    assert mangle_placeholders("[DATE_7QK2: spring 1987]", Mangle.SPACES) == "[ DATE_7QK2: spring 1987 ]"
    assert mangle_placeholders("[DATE_7QK2: spring 1987]", Mangle.BARE) == "DATE_7QK2"
