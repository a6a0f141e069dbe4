"""Several tables of one conversation as one."""

from dataclasses import replace

from privguard.core.letters import folded, one_spaced
from privguard.core.placeholders import Hint, join_hint, part_hint
from privguard.core.restoring import RestoreEntry, RestoreTable


def merge_tables(older: RestoreTable, newer: RestoreTable) -> RestoreTable:
    """Return what R may put back into a reply that may speak of both requests.

    Of an id that both tables give to one value, the newer entry counts, with the forms that the older one knows
    besides. An id with two values is disputed, and so is one that the caller had typed before it was given to a value:
    it is never restored, whatever is merged later. One that was given first and typed later is our own, on its way back
    from a tool, say. Values may stand in the URLs that both tables allow. Of two notes of one name the newer counts.
    """
    entries = {**older.entries, **newer.entries}
    disputed = {*older.disputed, *newer.disputed, *clashes(older, newer)}
    for placeholder_id in older.entries.keys() & newer.entries.keys():
        entries[placeholder_id] = _united(older.entries[placeholder_id], newer.entries[placeholder_id])
    return RestoreTable(
        entries={each: entry.emptied() if each in disputed else entry for each, entry in entries.items()},
        literals=(older.literals | newer.literals) - entries.keys(),
        url_hosts=tuple([host for host in newer.url_hosts if host in older.url_hosts]),
        disputed=frozenset(disputed),
        before_links=older.before_links | newer.before_links,
        notes=tuple(sorted((dict(older.notes) | dict(newer.notes)).items())),
    )


def clashes(older: RestoreTable, newer: RestoreTable) -> frozenset[str]:
    """Return the ids that have a value in the newer table, and in the older one another value or none."""
    shared = older.entries.keys() & newer.entries.keys()
    different = {each for each in shared if not _is_same(older.entries[each], newer.entries[each])}
    return frozenset(different | (newer.entries.keys() & older.literals) | (newer.entries.keys() & older.disputed))


def _is_same(one: RestoreEntry, other: RestoreEntry) -> bool:
    """Tell whether two entries stand for one value, in whatever letter case and with whatever white space."""
    return one.kind is other.kind and _plain(one.value) == _plain(other.value)


def _plain(value: str) -> str:
    return one_spaced(folded(value))


def _united_hint(older: Hint, newer: Hint) -> str:
    return join_hint(newer.words or older.words, newer.pronoun or older.pronoun)


def _united(older: RestoreEntry, newer: RestoreEntry) -> RestoreEntry:
    known = {form for form, _ in newer.forms}
    added = tuple([(form, spelling) for form, spelling in older.forms if form not in known])
    forms = {form for form, _ in added}
    united = replace(
        newer,
        hint=_united_hint(part_hint(older.hint), part_hint(newer.hint)),
        phrase=newer.phrase or older.phrase,
        forms=newer.forms + added,
        written=newer.written + tuple([(form, spelling) for form, spelling in older.written if form in forms]),
    )
    said = {
        _plain(spelling) for entry in (older, newer) for form, spelling in entry.spellings if form not in entry.unsaid
    }
    return replace(united, unsaid=frozenset([form for form, text in united.spellings if _plain(text) not in said]))
