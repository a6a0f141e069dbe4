"""The legacy completions route, `echo` and several choices included."""

from collections.abc import Mapping

from privguard.core.json_leaves import Leaf, Path
from privguard.core.segments import Role
from privguard_adapters.wire.codec import codec_of
from privguard_adapters.wire.fields import patterns
from privguard_adapters.wire.layout import Layout
from privguard_adapters.wire.media import check_no_token_ids


def _inspect(values: Mapping[Path, Leaf]) -> None:
    check_no_token_ids(values, "prompt")


def _role(path: Path, _values: Mapping[Path, Leaf]) -> Role:
    return Role.USER if path[0] in ("prompt", "suffix") else Role.OTHER


LAYOUT = Layout(
    tokens=patterns("model"),
    words=patterns("service_tier"),
    options=patterns(
        """
        best_of frequency_penalty presence_penalty temperature top_p n seed max_tokens logprobs
        top_k min_p repetition_penalty
        """
    ),
    inspect=_inspect,
    role=_role,
)
CODEC = codec_of("openai.completions", LAYOUT)
