import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.json_escapes import ESCAPE, LONGEST, said_by


@given(st.text(st.characters(max_codepoint=0xFFFF)))
def test_escapes_say_what_json_says(text: str) -> None:
    written = json.dumps(text)[1:-1]
    assert ESCAPE.sub(said_by, written) == text
    assert all(len(escape[0]) <= LONGEST for escape in ESCAPE.finditer(written))


@pytest.mark.parametrize("text", [r"\x41", r"\u00e", r"\'", "u0041"])
def test_what_json_does_not_know_is_no_escape(text: str) -> None:
    assert ESCAPE.search(text) is None
