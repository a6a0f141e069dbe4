"""The moderations route: the text is minimized, images are refused. The reply holds verdicts and passes unread."""

from collections.abc import Mapping

from privguard.core.errors import UnknownContentError
from privguard.core.json_leaves import Leaf, Path
from privguard.core.segments import Role
from privguard_adapters.wire.codec import codec_of
from privguard_adapters.wire.fields import patterns
from privguard_adapters.wire.layout import Layout
from privguard_adapters.wire.media import check_no_token_ids


def _inspect(values: Mapping[Path, Leaf]) -> None:
    check_no_token_ids(values, "input")
    for path, leaf in values.items():
        if (
            path[0] == "input"
            and len(path) > 2
            and path[2:] != ("text",)
            and (path[2:], leaf.text) != (("type",), "text")
        ):
            raise UnknownContentError(
                f"{leaf.label} belongs to a part that is no text: only text can be minimized; leave the part out"
            )


def _role(path: Path, _values: Mapping[Path, Leaf]) -> Role:
    return Role.USER if path[0] == "input" else Role.OTHER


LAYOUT = Layout(tokens=patterns("model"), words=patterns("input.*.type"), inspect=_inspect, role=_role)
CODEC = codec_of("openai.moderations", LAYOUT, replies=None)
