"""Scores as JSON and as tables."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table

from benchmarks.detection.score import Scores, Tally
from benchmarks.intervals import Share

_LEAST = 20  # spans from which on a type or a language has a figure worth comparing


def as_json(scores: Scores) -> dict[str, Any]:
    """Return every figure with its counts."""
    return {
        "texts": scores.texts,
        "without_answer": scores.unanswered,
        "recall_all_labels": scores.every.total.as_json(),
        "recall_in_scope": scores.scoped.total.as_json(),
        "recall_in_scope_without_misc": scores.sharp.as_json(),
        "recall_direct_and_secret": scores.identifying.as_json(),
        "recall_secret": scores.scoped.share("SECRET").as_json(),
        "character_recall": scores.characters.total.as_json(),
        "precision": scores.precision.total.as_json(),
        "precision_without_misc": scores.sharp_precision.as_json(),
        "texts_flagged": _shares(scores.clean),
        "texts_altered": _shares(scores.altered),
        "recall_by_type": _shares(scores.scoped),
        "recall_by_language": _shares(scores.language),
        "recall_by_source": _shares(scores.source),
        "precision_by_type": _shares(scores.precision),
    }


def overview(name: str, scored: Mapping[str, Scores]) -> Table:
    """Return one row of headline figures per system."""
    table = Table(title=name, caption="in brackets: 95 % intervals (Wilson)")
    columns = ("recall", "in scope", "without MISC", "precision", "direct + SECRET", "characters", "lang. min")
    for column in ("system", *columns, "flagged, empty", "flagged, public", "altered, public", "no answer"):
        table.add_column(column)
    for system, scores in scored.items():
        table.add_row(
            system,
            str(scores.every.total),
            _plain(scores.scoped.total),
            str(scores.sharp),
            str(scores.sharp_precision),
            str(scores.identifying),
            _plain(scores.characters.total),
            _least(scores.language),
            _counts(scores.clean.share("empty")),
            _counts(scores.clean.share("public")),
            _counts(scores.altered.share("public")),
            str(scores.unanswered),
        )
    return table


def breakdown(title: str, tallies: Mapping[str, Tally]) -> Table:
    """Return one row per key, one column per system, the largest keys first."""
    table = Table(title=title)
    table.add_column("")
    table.add_column("n", justify="right")
    for system in tallies:
        table.add_column(system, justify="right")
    first = next(iter(tallies.values()))
    for key, share in first.by_size():
        table.add_row(key, str(share.n), *(_plain(tally.share(key)) for tally in tallies.values()))
    return table


def fairness_table(found: Mapping[str, Tally]) -> Table:
    """Return recall by group of names, and how far each is under the best of its kind."""
    table = breakdown("names by group: whole-span recall", found)
    table.add_row(
        "worst gap", "", *(f"{100 * gap:.1f} points" for gap in (worst_gap(tally) for tally in found.values()))
    )
    return table


def worst_gap(tally: Tally) -> float:
    """Return the largest distance of a group from the best one of its kind (full names, first names)."""
    kinds: dict[str, list[float]] = {}
    for key, share in tally.by_size():
        if share.value is not None:
            kinds.setdefault(key.split(",")[0], []).append(share.value)
    return max((max(values) - min(values) for values in kinds.values()), default=0.0)


def markdown(table: Table) -> str:
    """Return a table as Markdown."""
    heads = [str(column.header) for column in table.columns]
    rows: Sequence[Sequence[str]] = list(zip(*(list(map(str, column.cells)) for column in table.columns), strict=True))
    lines = [f"**{table.title}**", "", "| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return "\n".join((*lines, *("| " + " | ".join(row) + " |" for row in rows))) + "\n"


def _shares(tally: Tally) -> dict[str, object]:
    return {key: share.as_json() for key, share in tally.by_size()}


def _plain(share: Share) -> str:
    return "-" if share.value is None else f"{share.value:.3f}"


def _counts(share: Share) -> str:
    return f"{share.hits}/{share.n}"


def _least(tally: Tally) -> str:
    """Return the language with the least recall among those with enough spans."""
    values = [(share.value, key) for key, share in tally.by_size() if share.value is not None and share.n >= _LEAST]
    return "{1} {0:.3f}".format(*min(values)) if values else "-"
