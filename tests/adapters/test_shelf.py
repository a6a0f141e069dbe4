from typing import Any

import pytest

from privguard.core.holding import Owner
from privguard.guard.notebook import Notebook
from privguard.vault import SealedVault, open_vault
from privguard_adapters.shelf import Shelf, line_reference
from privguard_adapters.wire.openai_batches import SeenBatch


@pytest.fixture
def vault() -> SealedVault:
    return open_vault("memory:")


@pytest.fixture
def shelf(vault: SealedVault) -> Shelf:
    made = Shelf(notes=Notebook(vault=vault, owner=Owner()))
    made.notes.add(line_reference("u", "a"), {"codec": "x"})
    made.add("u", ["a", "b"])
    made.name("u", "file-1")
    return made


def seen(**changes: Any) -> SeenBatch:  # noqa: ANN401 - fields of a batch
    given = {"id": "batch_1", "input_file_id": "file-1", "result_ids": (), "is_open": True}
    return SeenBatch(**{**given, **changes})


def test_a_file_leads_to_its_upload_and_that_to_its_lines(shelf: Shelf) -> None:
    assert shelf.upload_of("file-1") == "u"
    assert shelf.lines_of("u") == frozenset({"a", "b"})
    assert (shelf.upload_of("file-9"), shelf.lines_of("v")) == (None, None)


def test_results_lead_there_once_a_batch_told_of_them(shelf: Shelf) -> None:
    shelf.see(seen())
    assert shelf.upload_of("file-2") is None
    shelf.see(seen(result_ids=("file-2", "file-3"), is_open=False))
    assert (shelf.upload_of("file-2"), shelf.upload_of("file-3")) == ("u", "u")
    shelf.see(seen(input_file_id="file-9", result_ids=("file-8",)))
    assert shelf.upload_of("file-8") is None


def test_an_upload_stays_until_its_last_file_is_gone(shelf: Shelf, vault: SealedVault) -> None:
    shelf.see(seen())
    shelf.forget("file-1")
    assert shelf.lines_of("u")
    shelf.see(seen(result_ids=("file-2",), is_open=False))
    shelf.forget("file-9")
    assert shelf.lines_of("u")
    shelf.forget("file-2")
    assert vault.status().tables == 0


def test_what_is_seen_again_writes_nothing(shelf: Shelf, vault: SealedVault) -> None:
    shelf.see(seen(result_ids=("file-2",)))
    before = vault.status()
    shelf.see(seen(result_ids=("file-2",)))
    assert vault.status() == before


def test_an_upload_that_was_not_sent_has_no_lines(shelf: Shelf) -> None:
    shelf.drop("u")
    assert shelf.lines_of("u") is None
