import json
from typing import Any

import pytest

from privguard.core.errors import UnknownContentError
from privguard.core.segments import Role
from privguard_adapters.wire.openai_completions import CODEC


def read(**body: Any) -> dict[str, tuple[Role, str]]:  # noqa: ANN401 - any JSON value
    view = CODEC.read_request(json.dumps({"model": "m", **body}).encode())
    return {segment.path: (segment.role, segment.text) for segment in view.segments}


def test_prompts_and_suffix_are_what_the_user_says() -> None:
    assert read(prompt=["a", "b"], suffix="c", echo=True, best_of=2, user="u") == {
        "prompt[0]": (Role.USER, "a"),
        "prompt[1]": (Role.USER, "b"),
        "suffix": (Role.USER, "c"),
        "user": (Role.OTHER, "u"),
    }


@pytest.mark.parametrize("prompt", [[1, 2], [[1, 2], [3]], 5])
def test_token_ids_are_refused(prompt: object) -> None:
    with pytest.raises(UnknownContentError, match="token ids"):
        read(prompt=prompt)
