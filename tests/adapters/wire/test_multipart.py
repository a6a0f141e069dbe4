import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.errors import UnknownContentError
from privguard_adapters.wire.multipart import MAX_PARTS, Part, read_form, write_form

TYPE = b"multipart/form-data; boundary=abc"
NAMES = st.text(st.characters(exclude_characters='"\\%\r\n', exclude_categories=("Cs", "Cc")), min_size=1, max_size=12)
PARTS = st.lists(
    st.builds(Part, name=NAMES, body=st.binary(max_size=60), filename=st.none() | NAMES),
    min_size=1,
    max_size=5,
    unique_by=lambda part: part.name,
)
FIELD = b'Content-Disposition: form-data; name="a"\r\n\r\n1'


def form(*pieces: bytes) -> bytes:
    return b"".join([b"--abc\r\n" + piece + b"\r\n" for piece in pieces]) + b"--abc--\r\n"


@given(PARTS)
def test_what_is_written_is_read_again_whatever_it_holds(parts: list[Part]) -> None:
    content_type, body = write_form(parts, file_type="application/jsonl")
    assert read_form(content_type.encode(), body) == tuple(parts)
    assert write_form(parts, file_type="application/jsonl") == (content_type, body)


def test_parts_are_read_with_whatever_their_bodies_hold() -> None:
    file = b'Content-Disposition: form-data; name="f"; filename="x y.jsonl"\r\nContent-Type: text/plain\r\n\r\n'
    file += b"\r\n--ab\n--"
    first, second = read_form(TYPE, form(FIELD, file))
    assert (first.name, first.body, first.filename) == ("a", b"1", None)
    assert (second.name, second.body, second.filename) == ("f", b"\r\n--ab\n--", "x y.jsonl")


@pytest.mark.parametrize(
    "content_type",
    [b"", b"application/json", b"multipart/form-data", b"multipart/mixed; boundary=abc", TYPE + b"; charset=utf-8"],
)
def test_other_content_types_are_refused(content_type: bytes) -> None:
    with pytest.raises(UnknownContentError):
        read_form(content_type, form(FIELD))


def test_a_boundary_may_stand_in_quotes() -> None:
    assert read_form(b'multipart/form-data; boundary="abc"', form(FIELD))[0].body == b"1"


WRONG = {
    "empty": b"",
    "no end": b"--abc\r\n" + FIELD,
    "preamble": b"Ada Roth\r\n" + form(FIELD),
    "epilogue": form(FIELD) + b"Ada Roth",
    "no part": b"--abc--\r\n",
    "no headers": form(b"1"),
    "twice": form(FIELD, FIELD),
    "too many": form(*[FIELD.replace(b'"a"', f'"{number}"'.encode()) for number in range(MAX_PARTS + 1)]),
    "another header": form(b"X-Owner: Ada Roth\r\n" + FIELD),
    "a header twice": form(b"Content-Type: a/b\r\nContent-Type: a/b\r\n" + FIELD),
    "encoded": form(b"Content-Transfer-Encoding: base64\r\n" + FIELD),
    "another disposition": form(FIELD.replace(b"form-data", b"attachment")),
    "another parameter": form(FIELD.replace(b'"a"', b'"a"; owner="Ada Roth"')),
    "an extended name": form(FIELD.replace(b'"a"', b"\"a\"; filename*=utf-8''Ada")),
    "escapes in a name": form(FIELD.replace(b'"a"', b'"a"; filename="A%64a"')),
    "no UTF-8 in a name": form(FIELD.replace(b'"a"', b'"\xff"')),
    "text behind a boundary": form(FIELD).replace(b"--abc--", b"--abcAda\r\n\r\n\r\n--abc--"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_what_is_not_understood_is_refused_without_a_word_of_it(kind: str) -> None:
    with pytest.raises(UnknownContentError) as caught:
        read_form(TYPE, WRONG[kind])
    assert "Ada" not in str(caught.value)
    assert caught.value.__context__ is None
