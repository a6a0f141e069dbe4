"""The lines of a batch file on their way out: each is a request of its own, and all of them leave or none."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

from privguard.core.audit import Outcome
from privguard.core.errors import AuditError, PrivguardError, UnknownContentError
from privguard_adapters.guarding import Guarding, KeptExchange, OpenExchange
from privguard_adapters.refusing import closing, recorded, refusal_of
from privguard_adapters.wire.batch_lines import OWN_ID, BatchLine, notes_of, read_line
from privguard_adapters.wire.checks import Check
from privguard_adapters.wire.identifiers import rename
from privguard_adapters.wire.openai_files import NAME
from privguard_adapters.wire.request import name_checks

# What stands beside the content, by the patterns of headers that a profile passes; and how it is looked at.
Beside = Callable[[Sequence[str]], Sequence[Check]]
Look = Callable[[Sequence[Check], OpenExchange | None], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenLine:
    """A line that may leave."""

    sent_id: str = field(repr=False)  # the custom_id that leaves
    exchange: KeptExchange
    body: bytes = field(repr=False)
    notes: dict[str, str] = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What stands around the lines. It is looked at with each of them: any may hide what stands there."""

    checks: tuple[Check, ...]  # of the file
    beside: Beside
    look: Look


def open_lines(guard: Guarding, lines: Sequence[bytes], around: Around, *, profile: str | None) -> list[OpenLine]:
    """Begin the exchange of every line; where one may not leave, close those of all.

    Raises:
        ProtectionError: one may not leave, which the error names, or something around them may not.
    """
    opened: list[OpenLine] = []
    numbers: dict[str, int] = {}
    refusal: PrivguardError | None = None
    for number, raw in enumerate(lines, 1):
        where = f"line {number} of the file"
        try:
            line = recorded(guard, NAME, partial(_read_once, raw, number, numbers))
            exchange = _begin(guard, line, profile)
            where = ""
            closing(exchange, partial(_look_around, around, exchange))
            where = f"line {number} of the file"
            opened.append(closing(exchange, partial(_finish, line, exchange, numbers, around.look)))
        except Exception as error:  # noqa: BLE001 - whatever fails, nothing leaves
            refusal = refusal_of(error, where)
            break
    if refusal is not None:
        # Raised out here: the context of an exception keeps reachable what the one before it says.
        for each in opened:
            with suppress(AuditError):
                each.exchange.close(Outcome.BLOCKED, refusal)
        raise refusal
    return opened


def _read_once(raw: bytes, number: int, numbers: dict[str, int]) -> BatchLine:
    """Read a line, whose custom_id no line before has."""
    line = read_line(raw)
    if line.custom_id in numbers:
        raise UnknownContentError(f"its custom_id is that of line {numbers[line.custom_id]}")
    numbers[line.custom_id] = number
    return line


def _begin(guard: Guarding, line: BatchLine, profile: str | None) -> KeptExchange:
    return guard.begin(
        line.view.segments,
        target=line.view.target,
        profile=profile,
        route=f"{NAME}.{line.codec.name.removeprefix('openai.')}",
        earlier=line.view.later.earlier,
    )


def _look_around(around: Around, exchange: KeptExchange) -> None:
    around.look((*around.checks, *around.beside(exchange.profile.pass_headers)), exchange)


def _finish(line: BatchLine, exchange: KeptExchange, numbers: dict[str, int], look: Look) -> OpenLine:
    view, codec, settings = line.view, line.codec, exchange.profile
    renamed = rename(view.identifiers, exchange.outgoing)
    look((*view.checks, *name_checks(renamed)), exchange)
    sent_id = _sent_id(line, numbers, lambda check: look((check,), exchange))
    body = line.write(exchange.outgoing, sent_id=sent_id, note=settings.note, passed=settings.pass_parts)
    notes = notes_of(codec, codec.rules(view, renamed, exchange.outgoing), is_kept=view.later.is_kept)
    if sent_id != line.custom_id:
        notes[OWN_ID] = line.custom_id
    return OpenLine(sent_id=sent_id, exchange=exchange, body=body, notes=notes)


def _sent_id(line: BatchLine, numbers: dict[str, int], look: Callable[[Check], None]) -> str:
    """Return what leaves in the place of a custom_id: itself, or a number where something is found in it.

    It comes back in the results as it was, so nothing is lost, and one that only looks like a value stops no file.
    """
    check = line.id_check
    if check is not None:
        with suppress(UnknownContentError):
            look(check)
            return line.custom_id
    number = numbers[line.custom_id]
    sent_id, tries = f"privguard-{number}", 1
    while sent_id in numbers:
        tries += 1
        sent_id = f"privguard-{number}-{tries}"
    numbers[sent_id] = number
    return sent_id
