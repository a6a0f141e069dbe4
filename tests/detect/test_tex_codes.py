import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.detect.tex_codes import tex_view

PIECES = ("a", "e", "\\", "\\'", '\\"', "{", "}", "\\ss", "\\o", " ", "\\c", "\\i", "\\v", "\u00e9", ":")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (r"Jos\'e Pe\~nalver, Jos\\'e, Jos{\'e}, Jos\'{e}", "Jos\u00e9 Pe\u00f1alver, Jos\u00e9, Jos\u00e9, Jos\u00e9"),
        (r"M\"uller M{\"u}ller M\"{u}ller, \"Ozg\"ur", "M\u00fcller M\u00fcller M\u00fcller, \u00d6zg\u00fcr"),
        (
            r"Stra{\ss}e Stra\ss{}e K\"o\ss ler, S\o ren {\O}st \aa se",
            "Stra\u00dfe Stra\u00dfe K\u00f6\u00dfler, S\u00f8ren \u00d8st \u00e5se",
        ),
        (
            r"\c{S}tefan \c ca \v{Z}i\v zek \H{o} \k{a} \r{a} \u{g}",
            "\u015etefan \u00e7a \u017di\u017eek \u0151 \u0105 \u00e5 \u011f",
        ),
        (r"Mart\'\i nez Mart\'{\i}nez Mart{\'\i}nez", "Mart\u00ednez Mart\u00ednez Mart\u00ednez"),
        (r"{\"id\": \"abc\", \"o\":\"M\"uller\"}", '{\\"id\\": \\"abc\\", \\"o\\":\\"M\u00fcller\\"}'),
        (r"{\"id\": \"abc\", \"n\":1}", None),
        (
            'M"uller M{"u}ller M"{u}ller',
            "M\u00fcller M\u00fcller M\u00fcller",
        ),  # read as JSON, which takes the backslash
        ('say "under" or "a", 5"a, {"a": "o"}, x["a"]', None),
        (r"C:\users\out\lib, \n \t \x27 \\server, \section{a}", None),
        (r"\d{4}, \'x, \~z", None),
    ],
    ids=range(11),
)
def test_accents_and_letters_of_tex_are_read(text: str, shown: str | None) -> None:
    view = tex_view(text)
    assert (view and view.text) == shown


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_every_interval_leads_back_to_whole_codes(text: str) -> None:
    view = tex_view(text)
    if view is None:
        return
    assert view.back(0, len(view.text)) == (0, len(text))
    reached = 0
    for at in range(len(view.text)):
        start, end = view.back(at, at + 1)
        assert start == reached
        assert view.touches(at, at + 1) or view.text[at] == text[start:end]
        reached = end
