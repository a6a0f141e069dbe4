import pytest

from privguard.core.errors import UnknownContentError
from privguard_adapters.wire import openai_files
from privguard_adapters.wire.multipart import Part, read_form, write_form
from privguard_adapters.wire.openai_files import read_upload

PURPOSE = Part(name="purpose", body=b"batch")
FILE = Part(name="file", body=b"one\ntwo\r\nthree", filename="b.jsonl")


def form(*parts: Part) -> tuple[bytes, bytes]:
    content_type, body = write_form(parts, file_type="text/plain")
    return content_type.encode(), body


def test_lines_are_read_and_written_with_their_ends() -> None:
    upload = read_upload(*form(PURPOSE, FILE))
    assert upload.lines == (b"one", b"two", b"three")
    assert [check.text for check in upload.checks] == ["b.jsonl"]
    content_type, body = upload.write([b"1", b"2", b"3"])
    purpose, file = read_form(content_type.encode(), body)
    assert (purpose, file.body, file.filename) == (PURPOSE, b"1\n2\r\n3\n", "b.jsonl")


WRONG = {
    "no purpose": (FILE,),
    "another purpose": (Part(name="purpose", body=b"fine-tune"), FILE),
    "no file": (PURPOSE,),
    "no name": (PURPOSE, Part(name="file", body=b"x")),
    "a path": (PURPOSE, Part(name="file", body=b"x", filename="../b.jsonl")),
    "another field": (PURPOSE, FILE, Part(name="note", body=b"x")),
    "another value": (PURPOSE, FILE, Part(name="expires_after[anchor]", body=b"birth")),
    "no number": (PURPOSE, FILE, Part(name="expires_after[seconds]", body=b"1e3")),
    "two files": (Part(name="purpose", body=b"batch", filename="p"), FILE),
}


@pytest.mark.parametrize("kind", WRONG)
def test_other_forms_are_refused(kind: str) -> None:
    with pytest.raises(UnknownContentError):
        read_upload(*form(*WRONG[kind]))


def test_what_the_api_does_not_take_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai_files, "MAX_LINES", 2)
    with pytest.raises(UnknownContentError, match="2 lines"):
        read_upload(*form(PURPOSE, FILE))
    monkeypatch.setattr(openai_files, "MAX_BYTES", 10)
    with pytest.raises(UnknownContentError, match="MiB"):
        read_upload(*form(PURPOSE, FILE))
