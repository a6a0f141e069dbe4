"""Write the note on placeholders into the messages of a request: behind its instructions, or in front of everything.

It is put into the JSON text as it is about to leave, so all else keeps its bytes, and R never sees it.
"""

from collections.abc import Sequence

from privguard.core.edits import Edit, splice
from privguard.core.json_leaves import Document, Kind, Leaf, Path, decode, encode, parse
from privguard.core.note import NOTE
from privguard.core.segments import Role, Segment
from privguard_adapters.wire.fields import holds_placeholder
from privguard_adapters.wire.layout import message_role
from privguard_adapters.wire.request import RequestView

_ROOT = "messages"
_BEHIND = f"\n\n{NOTE}"


def add_to_messages(view: RequestView, outgoing: Sequence[Segment], body: bytes) -> bytes:
    """Add the note, where the model reads a placeholder of ours and the caller did not send the note along.

    Args:
        view: the request as it was read.
        outgoing: its minimized segments.
        body: what was written of them.
    """
    if not _puts_placeholders(view, outgoing) or _is_told(view):
        return body
    document = parse(decode(body))
    edit = _edit(document)
    return splice(document.text, (edit,)).encode("utf-8") if edit is not None else body


def add_to_system(view: RequestView, outgoing: Sequence[Segment], body: bytes) -> bytes:
    """Add the note to the field `system`, on the same conditions; the arguments are those of `add_to_messages`."""
    return _add_to("system", view, outgoing, body)


def add_to_instructions(view: RequestView, outgoing: Sequence[Segment], body: bytes) -> bytes:
    """Add the note to the field `instructions`, likewise."""
    return _add_to("instructions", view, outgoing, body)


def without_note(text: str) -> str:
    """Return instructions without the note that was added to them."""
    return "" if text == NOTE else text.removesuffix(_BEHIND)


def _add_to(name: str, view: RequestView, outgoing: Sequence[Segment], body: bytes) -> bytes:
    values = view.nodes[0].document.values()
    is_told = any(path[0] == name and leaf.kind is Kind.STRING and NOTE in leaf.text for path, leaf in values.items())
    if is_told or not _puts_placeholders(view, outgoing):
        return body
    document = parse(decode(body))
    edit, nothing = _edit_at(document, (name,)), document.values().get((name,))
    if edit is None and nothing is not None:
        edit = Edit(start=nothing.start, end=nothing.end, replacement=encode(NOTE))
    elif edit is None:
        start, _ = document.extents[()]
        edit = Edit(start=start, end=start + 1, replacement=f'{{"{name}":{encode(NOTE)},')
    return splice(document.text, (edit,)).encode("utf-8")


def _puts_placeholders(view: RequestView, outgoing: Sequence[Segment]) -> bool:
    """Tell whether one stands in place of a value. Beside the conversation the model reads none."""
    for old, new in zip(view.segments, outgoing, strict=True):
        if new.text == old.text or old.beside:
            continue
        change = new.change_of(old.text)
        if any(map(holds_placeholder, [change] if isinstance(change, str) else [edit.replacement for edit in change])):
            return True
    return False


def _is_told(view: RequestView) -> bool:
    """Tell whether instructions of the request hold the note, as they do where it comes back as it left."""
    values = view.nodes[0].document.values()
    return any(
        leaf.kind is Kind.STRING and NOTE in leaf.text and message_role(path, values) is Role.SYSTEM
        for path, leaf in values.items()
    )


def _edit(document: Document) -> Edit | None:
    """Return what writes the note, None where there are no messages."""
    values = document.values()
    messages = _list_at(document, (_ROOT,))
    if messages is None or _is_empty(document, messages):
        return None
    if message_role((_ROOT, 0), values) is Role.SYSTEM:
        edit = _edit_at(document, (_ROOT, 0, "content"))
        if edit is not None:
            return edit
    start, _ = messages
    return Edit(start=start, end=start + 1, replacement=f'[{{"role":"system","content":{encode(NOTE)}}},')


def _edit_at(document: Document, content: Path) -> Edit | None:
    """Return what writes the note behind a text or a list of parts; None where neither stands."""
    text, parts = document.values().get(content), _list_at(document, content)
    if text is not None and text.kind is Kind.STRING:
        return _in_text(text)
    return _in_parts(parts, is_empty=_is_empty(document, parts)) if parts is not None else None


def _in_text(leaf: Leaf) -> Edit:
    return Edit(start=leaf.end - 1, end=leaf.end, replacement=encode(_BEHIND if leaf.text else NOTE)[1:])


def _in_parts(extent: tuple[int, int], *, is_empty: bool) -> Edit:
    # Some servers join the parts of a message without anything between them.
    part = f'{{"type":"text","text":{encode(NOTE if is_empty else _BEHIND)}}}'
    _, end = extent
    return Edit(start=end - 1, end=end, replacement=f"{part}]" if is_empty else f",{part}]")


def _list_at(document: Document, path: Path) -> tuple[int, int] | None:
    """Return where a list stands, brackets included; None where something else does, or nothing."""
    extent = document.extents.get(path)
    return extent if extent is not None and document.text[extent[0]] == "[" else None


def _is_empty(document: Document, extent: tuple[int, int]) -> bool:
    return not document.text[extent[0] + 1 : extent[1] - 1].strip()
