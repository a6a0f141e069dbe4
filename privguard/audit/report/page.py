"""The report as one HTML page that needs nothing but itself: no script, no font, no picture from elsewhere."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from importlib.resources import files

from privguard.audit.faults import Fault
from privguard.audit.report.charts import MOST_BARS, chart
from privguard.audit.report.counts import Counts
from privguard.audit.report.gather import Report
from privguard.audit.report.markup import Markup, element, join
from privguard.audit.report.tables import Table, tables
from privguard.audit.wording import describe, number
from privguard.core.audit import Event, Outcome
from privguard.core.plan import Action

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_MOST_FAULTS = 100
_SECONDS = len("2031-04-05T06:07:08")


def page(report: Report, made_at: datetime) -> str:
    """Return the page; `made_at` is in UTC."""
    style = (files("privguard.audit.report") / "style.css").read_text(encoding="utf-8")
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", "Audit report"),
        element("style", Markup(style)),
    )
    body = element("main", _top(report, made_at), _status(report), *map(_section, tables(report.counts)))
    return f"<!doctype html>\n{element('html', head, element('body', body), lang='en')}\n"


def _top(report: Report, made_at: datetime) -> Markup:
    counts = report.counts
    made = f"Made on {made_at:%Y-%m-%d at %H:%M} UTC. It holds numbers, no content of requests or replies."
    return join(
        element("h1", "Audit report"),
        element("p", f"{_span(counts)} {made}", class_="soft"),
        element("dl", *(_tile(name, count) for name, count in _figures(counts)), class_="tiles"),
    )


def _span(counts: Counts) -> str:
    period = counts.period
    parts = [
        *([f"from {period.since.isoformat()}"] if period.since else ()),
        *([f"until {period.until.isoformat()}"] if period.until else ()),
    ]
    wanted = f"Requests {' '.join(parts)}" if parts else "All requests of the log"
    if counts.first is None or counts.last is None:
        return f"{wanted}."
    return f"{wanted}; the first is of {counts.first.isoformat()}, the last of {counts.last.isoformat()}."


def _figures(counts: Counts) -> Iterator[tuple[str, int]]:
    actions = {action: sum(found[action.name] for found in counts.kinds.values()) for action in Action}
    yield "requests", counts.requests
    yield "blocked", counts.outcomes[Outcome.BLOCKED]
    yield "redacted", actions[Action.REDACT]
    yield "abstracted", actions[Action.ABSTRACT]
    yield "retained", actions[Action.RETAIN]
    yield "restorations", counts.matches.total()
    yield "refusals", sum(found[Event.REFUSED] for found in counts.causes.values())


def _tile(name: str, count: int) -> Markup:
    return element("div", element("dt", name), element("dd", f"{count:,}"))


def _status(report: Report) -> Markup:
    verdict = report.verdict
    faults = len(verdict.faults)
    words = (
        "The chain is whole: no row was changed, removed, moved or cut off."
        if verdict.ok
        else (f"The chain has {number(faults, 'fault')}: these figures may not be what was written.")
    )
    return element(
        "section",
        element("h2", "The log that this comes from"),
        element(
            "div",
            element("strong", words),
            *_findings(verdict.faults, "fault"),
            *_findings(verdict.notes, "note"),
            *(element("p", sentence) for sentence in _sentences(report)),
            class_=f"status {'sound' if verdict.ok else 'faulty'}",
        ),
    )


def _findings(found: Sequence[Fault], kind: str) -> Iterator[Markup]:
    items = [element("li", describe(each), class_=kind) for each in found[:_MOST_FAULTS]]
    if len(found) > _MOST_FAULTS:
        items.append(element("li", f"and {number(len(found) - _MOST_FAULTS, kind)} more", class_=kind))
    if items:
        yield element("ul", *items)


def _sentences(report: Report) -> Iterator[Markup]:
    verdict, counts = report.verdict, report.counts
    rows = f"{number(verdict.rows, 'row')} in all, {number(verdict.records, 'record')} of requests"
    yield join(f"{rows}. This is said of the whole log, the figures of the period.")
    if report.chain_id:
        yield join("Chain ", element("code", report.chain_id), ".")
    if verdict.head is not None:
        yield join(f"It ends with row {verdict.head.seq}, hash ", element("code", verdict.head.hash), ".")
    yield _signature(report)
    if not report.is_keyed and verdict.signed is None:
        yield join("Whoever can write the log could have written it anew: it was checked without a key.")
    if counts.erased:
        yield join(f"{number(counts.erased, 'row')} had been erased, and are in no figure.")
    if counts.unreadable:
        yield join(f"{number(counts.unreadable, 'row')} could not be read, and are in no figure.")
    if counts.held_back:
        yield join(
            f"{number(counts.held_back, 'span')} of blocked requests are in no figure: nothing of them was sent."
        )


def _signature(report: Report) -> Markup:
    signed, newest = report.verdict.signed, report.newest
    if signed is not None:
        rest = max(report.verdict.rows - 1 - signed.seq, 0)
        behind = f" {number(rest, 'row')} behind it can be written anew unnoticed." if rest else ""
        return join(
            f"Newest checkpoint that holds: row {signed.seq}, signed at {signed.at[:_SECONDS]} with key ",
            element("code", signed.key_id),
            f".{behind}",
        )
    if newest is not None:
        return join(
            f"Newest checkpoint: row {newest.seq}, at {newest.at[:_SECONDS]}, key ",
            element("code", newest.key_id),
            ". Its signature was not checked, or does not hold.",
        )
    return join("The log has no checkpoint.")


def _section(table: Table) -> Markup:
    note = (element("p", table.note, class_="soft"),) if table.note else ()
    heading = element("h2", table.title)
    if not table.rows:
        return element("section", heading, element("p", "None.", class_="soft"), id=table.id)
    drawn = chart(table)
    return element("section", heading, *note, *(_legend(table) if drawn else ()), drawn, _numbers(table), id=table.id)


def _legend(table: Table) -> Iterator[Markup]:
    if len(table.drawn) > 1:
        yield element(
            "ul",
            *(
                element("li", element("span", class_=f"swatch tone {column.tone}", aria_hidden="true"), column.name)
                for column in table.drawn
            ),
            class_="legend",
        )


def _numbers(table: Table) -> Markup:
    columns = element(
        "tr", *(element("th", name, scope="col") for name in (table.label, *(c.name for c in table.columns)))
    )
    rows = (
        element("tr", element("th", name, scope="row"), *(element("td", f"{value:,}") for value in values))
        for name, values in table.rows
    )
    grid = element("table", element("thead", columns), element("tbody", *rows))
    more = len(table.rows) > MOST_BARS and not table.is_over_time
    words = f"The numbers; the chart has the first {MOST_BARS} rows" if more else "The numbers"
    # Open, so that it is printed and read aloud.
    return element("details", element("summary", words), element("div", grid, class_="scroll"), open="")
