"""The embeddings route. The reply holds vectors and passes unread."""

from collections.abc import Mapping

from privguard.core.json_leaves import Leaf, Path
from privguard.core.segments import Role
from privguard_adapters.wire.codec import codec_of
from privguard_adapters.wire.fields import patterns
from privguard_adapters.wire.layout import Layout
from privguard_adapters.wire.media import check_no_token_ids


def _inspect(values: Mapping[Path, Leaf]) -> None:
    check_no_token_ids(values, "input")


def _role(path: Path, _values: Mapping[Path, Leaf]) -> Role:
    return Role.USER if path[0] == "input" else Role.OTHER


LAYOUT = Layout(
    tokens=patterns("model"),
    words=patterns("encoding_format"),
    options=patterns("dimensions"),
    inspect=_inspect,
    role=_role,
)
CODEC = codec_of("openai.embeddings", LAYOUT, replies=None)
