"""What the vault knows of batch files: which upload a file belongs to, and what is left of it.

An upload is kept once, line by line, before it is sent. When its file has an id, that id points at it; so do the ids of
the files of results, as soon as a batch tells them. What points at an upload is only ever added, and so is what does so
no more: writers at the same time cannot undo each other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from privguard_adapters.guarding import Noting
from privguard_adapters.wire.openai_batches import SeenBatch

_UPLOAD, _LINES = "upload", "lines"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """The uploads of one owner."""

    notes: Noting

    def add(self, upload: str, custom_ids: Sequence[str]) -> None:
        """Note the lines of an upload, before it is sent."""
        self.notes.add(_index(upload), {_LINES: "\n".join(custom_ids)})

    def drop(self, upload: str) -> None:
        """Forget the lines of an upload that was not sent; the values of each are somebody else's to forget."""
        self.notes.erase(_index(upload))

    def name(self, upload: str, file_id: str) -> None:
        """Note that a file is the one of an upload."""
        self.notes.add(_marks(upload), {f"+{file_id}": ""})
        self.notes.add(_file(file_id), {_UPLOAD: upload})

    def upload_of(self, file_id: str) -> str | None:
        """Return the upload that a file belongs to, None where none is known."""
        found = self.notes.read(_file(file_id))
        return None if found is None else found.get(_UPLOAD)

    def lines_of(self, upload: str) -> frozenset[str] | None:
        """Return the custom ids of an upload, None where it is not kept any more."""
        found = self.order_of(upload)
        return frozenset(found) if found else None

    def order_of(self, upload: str) -> tuple[str, ...]:
        """Return the custom ids of an upload as its lines stand, none where it is not kept any more."""
        found = self.notes.read(_index(upload))
        return () if found is None else tuple(found.get(_LINES, "").split("\n"))

    def see(self, batch: SeenBatch) -> None:
        """Note what a batch tells of the files of its results."""
        upload = self.upload_of(batch.input_file_id)
        if upload is None:
            return
        marks = self.notes.read(_marks(upload)) or {}
        told = {f"+{batch.id}": "", **{f"+{file_id}": "" for file_id in batch.result_ids}}
        if not batch.is_open:
            told[f"-{batch.id}"] = ""
        if told.keys() <= marks.keys():
            return
        # The files first: what points at nothing does no harm, and what nothing points at cannot be found.
        for file_id in batch.result_ids:
            self.notes.add(_file(file_id), {_UPLOAD: upload})
        self.notes.add(_marks(upload), told)

    def forget(self, file_id: str) -> None:
        """Forget a file that was deleted, and its upload with the last of them and no batch at work."""
        upload = self.upload_of(file_id)
        if upload is None:
            return
        self.notes.add(_marks(upload), {f"-{file_id}": ""})
        marks = self.notes.read(_marks(upload)) or {}
        if not _live(marks):
            for custom_id in self.lines_of(upload) or ():
                self.notes.erase(line_reference(upload, custom_id))
            for each in marks:
                self.notes.erase(_file(each[1:]))
            self.notes.erase(_index(upload))
            self.notes.erase(_marks(upload))


def line_reference(upload: str, custom_id: str) -> str:
    """Return what the values of one line are kept under."""
    return f"privguard:openai:line:{upload}:{custom_id}"


def _index(upload: str) -> str:
    return f"privguard:openai:upload:{upload}"


def _marks(upload: str) -> str:
    return f"privguard:openai:files:{upload}"


def _file(file_id: str) -> str:
    return f"privguard:openai:file:{file_id}"


def _live(marks: Mapping[str, str]) -> list[str]:
    return [each for each in marks if each.startswith("+") and f"-{each[1:]}" not in marks]
