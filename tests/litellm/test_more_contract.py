"""The rest of what every adapter promises: who sees what, values of the model's own, links, and the note."""

import pytest

pytest.importorskip("litellm", reason="LiteLLM is not installed here; its tests run with `make test-litellm`")

from tests.contract import test_links, test_note, test_on_reply, test_views

for module in (test_links, test_note, test_on_reply, test_views):
    found = {name: each for name, each in vars(module).items() if name == "client" or name.startswith("test_")}
    globals().update(found)
