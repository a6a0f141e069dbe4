"""What a URL stands in tells what ends it, and where a style sheet fetches one is known."""

import pytest

from privguard.restore.html_text import twin
from privguard.restore.url_forms import STRING_BEGIN, backslash_in, css_begin, end_of


def ended(before: str, url: str, *, written: str = "") -> str:
    """Return what of a text belongs to a URL that begins with it."""
    end = end_of(before, written=written).search(url)
    return url if end is None else url[: end.start()]


@pytest.mark.parametrize(
    ("before", "url", "inside"),
    [
        ("see ", "//a b", "//a"),
        ("see ", "//a<b", "//a"),
        ('said "', '//a"b', "//a"),
        ('src="', '//a b"c', "//a b"),
        ('src="', '//a \\"b"c', '//a \\"b'),
        (f"src={twin(chr(34))}", f'//a "{twin(chr(34))}b', '//a "'),
        ("src=", '//a"b>c', '//a"b'),
        ("[x](", "//a>b c", "//a>b"),
        ("[x](<", "//a b\\>c>d", "//a b\\>c"),
        ("[x]:<", "//a b\nc", "//a b"),
        ("url(", "\\2f\\2f a b", "\\2f\\2f a"),
        ("url(", "\\2f\\2f\r\na b", "\\2f\\2f\r\na"),
        ("url(", "//a\\ b\\000020 c d", "//a\\ b\\000020 c"),
        ("url(", "//a\\0000201 b", "//a\\0000201"),
        ('@import "', '//a b"c', "//a b"),
        ('@import /* a */ "', '//a b"c', "//a b"),
        ('content="0;', '//a b"c', "//a b"),
        ('content=" .5 url = ', '//a b"c', "//a b"),
        ("content=0;", "//a b", "//a"),
        ("content=\"0;'", "//a b'c\"d", "//a b'c"),
        ("0" * 60 + ";", "//a b\"c'd>e", "//a b\"c'd>e"),
        (STRING_BEGIN, '//a b"c', '//a b"c'),
        (f"{STRING_BEGIN}0;", '//a b"c', '//a b"c'),
    ],
)
def test_what_it_stands_in_tells_what_ends_a_url(before: str, url: str, inside: str) -> None:
    assert ended(before, url) == inside


def test_behind_an_escaped_quote_an_escaped_one_ends_a_url() -> None:
    assert ended('src="', '//a \\"b', written='src=\\"') == "//a \\"


@pytest.mark.parametrize(
    ("before", "begun"),
    [
        ("background:url(", "url("),
        ("URL( ", "URL( "),
        ("url('ht", "url('"),
        (f"url({twin(chr(34))}", f"url({twin(chr(34))}"),
        ("-webkit-image-set('", "image-set('"),
        ("@import '", "@import '"),
    ],
)
def test_where_a_style_sheet_fetches_a_url_is_known(before: str, begun: str) -> None:
    match = css_begin(before)
    assert match is not None
    assert match[1] == begun


@pytest.mark.parametrize("before", ["curl(", "url(javascr", "url(a)", "@import ", "import '", "(", ""])
def test_elsewhere_nothing_is_fetched(before: str) -> None:
    assert css_begin(before) is None


def test_letters_before_an_escape_count_in_a_style_sheet_only() -> None:
    assert backslash_in("url(ht\\74 ps:").search("(ht\\74") is not None
    assert backslash_in("foo(ht\\74 ps:").search("(ht\\74") is None
    assert backslash_in("foo(ht\\74 ps:").search("(\\74") is not None
