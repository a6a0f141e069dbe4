import json

import pytest

from privguard.core.errors import UnknownContentError
from privguard_adapters.wire.openai_embeddings import CODEC


@pytest.mark.parametrize(("given", "texts"), [("a", ["a"]), (["a", "b"], ["a", "b"])])
def test_inputs_are_segments(given: object, texts: list[str]) -> None:
    body = {"model": "m", "input": given, "encoding_format": "base64", "dimensions": 1234567}
    view = CODEC.read_request(json.dumps(body).encode())
    assert [segment.text for segment in view.segments] == texts
    assert [check.text for check in view.checks] == ["m", "1234567"]


@pytest.mark.parametrize("given", [[1, 2], [[1, 2]]])
def test_token_ids_are_refused(given: object) -> None:
    with pytest.raises(UnknownContentError, match="token ids"):
        CODEC.read_request(json.dumps({"model": "m", "input": given}).encode())


def test_the_reply_passes_unread() -> None:
    assert CODEC.replies is None
