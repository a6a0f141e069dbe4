"""A table comes back as it was, and nothing else passes for one."""

from contextlib import suppress
from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.errors import VaultError
from privguard.core.restoring import RestoreEntry, RestoreTable
from privguard.vault.codec import ENTRY_FIELDS, TABLE_FIELDS, VERSION, decode, encode
from tests.vault.homes import full_table, make_entry, make_table

# Surrogates too: Python keeps what a broken JSON escape said.
TEXTS = st.text(st.characters(exclude_categories=()), max_size=12)
PAIRS = st.lists(st.tuples(TEXTS, TEXTS), max_size=3).map(tuple)
ENTRIES = st.builds(
    RestoreEntry,
    placeholder_id=st.text(min_size=1, max_size=6),
    kind=st.sampled_from(EntityType),
    value=TEXTS,
    hint=TEXTS,
    phrase=TEXTS,
    forms=PAIRS,
    written=PAIRS,
    unsaid=st.frozensets(TEXTS, max_size=3),
)
TABLES = st.builds(
    lambda entries, **others: make_table(*entries, **others) if entries else RestoreTable(entries={}, **others),
    st.lists(ENTRIES, max_size=4),
    literals=st.frozensets(TEXTS, max_size=3),
    url_hosts=st.lists(TEXTS, max_size=3).map(tuple),
    disputed=st.frozensets(TEXTS, max_size=3),
    before_links=st.frozensets(TEXTS, max_size=3),
    notes=PAIRS,
)


@given(TABLES)
def test_a_table_comes_back_as_it_was(table: RestoreTable) -> None:
    assert decode(encode(table)) == table


@given(TABLES)
def test_equal_tables_are_equal_bytes(table: RestoreTable) -> None:
    backwards = replace(table, entries=dict(reversed(list(table.entries.items()))))
    assert encode(backwards) == encode(table)


@given(TABLES, st.data())
def test_a_table_that_is_cut_or_longer_is_refused(table: RestoreTable, data: st.DataObject) -> None:
    written = encode(table)
    end = data.draw(st.integers(0, len(written) - 1))
    for wrong in (written[:end], written + b"\0"):
        with pytest.raises(VaultError):
            decode(wrong)


@given(st.binary(max_size=200))
def test_any_other_bytes_are_refused_without_a_word_of_them(wrong: bytes) -> None:
    with suppress(VaultError):
        table = decode(bytes([VERSION]) + wrong)
        assert encode(table) == bytes([VERSION]) + wrong


def test_another_version_is_refused() -> None:
    written = encode(full_table())
    for version in (0, VERSION - 1, VERSION + 1, 255):
        with pytest.raises(VaultError, match=f"version {VERSION}"):
            decode(bytes([version]) + written[1:])


def test_an_unknown_type_is_refused_without_its_name() -> None:
    written = encode(make_table())
    with pytest.raises(VaultError) as caught:
        decode(written.replace(b"PERSON", b"PARSON"))
    assert "PARSON" not in str(caught.value)
    assert caught.value.__context__ is None


def test_what_is_not_in_order_is_refused() -> None:
    two = make_table(make_entry("7QK2"), make_entry("8ABC"), literals=frozenset({"4MNP", "5RST"}))
    written = encode(two)
    for left, right in ((b"7QK2", b"8ABC"), (b"4MNP", b"5RST")):
        swapped = written.replace(left, b"----").replace(right, left).replace(b"----", right)
        with pytest.raises(VaultError):
            decode(swapped)
        with pytest.raises(VaultError):
            decode(written.replace(right, left))


def test_every_field_of_a_table_is_kept() -> None:
    assert list(ENTRY_FIELDS) == [field.name for field in fields(RestoreEntry)]
    assert ["entries", *TABLE_FIELDS] == [field.name for field in fields(RestoreTable)]
    table = full_table()
    assert all(any(getattr(entry, name) for entry in table.entries.values()) for name in ENTRY_FIELDS)
    assert all(getattr(table, name) for name in TABLE_FIELDS)
    assert decode(encode(table)) == table
