"""Reading annotated texts."""

import gzip
import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from benchmarks.corpora import Gold, lower, read_items, thin


def test_both_formats_are_read(tmp_path: Path) -> None:
    span = {"start": 0, "end": 3, "type": "PERSON", "need": [3, 2], "owner": ["user", "public"]}
    rows = [
        {"id": "authored:1", "lang": "en", "text": "Ada", "spans": [span]},
        {"id": "authored:2", "lang": "de", "messages": [{"role": "user", "content": "Ada", "spans": [span]}]},
        {"id": "x", "source": "court", "lang": "en", "text": "Ada", "spans": [{"start": 0, "end": 3, "label": "DATE"}]},
    ]
    path = tmp_path / "rows.jsonl.gz"
    with gzip.open(path, "wt") as lines:
        lines.write("\n".join(map(json.dumps, rows)) + "\n\n")
    single, dialogue, public = read_items(path)
    assert (single.source, single.conversation, dialogue.conversation) == ("authored", False, True)
    assert single.texts[0].gold == (Gold(start=0, end=3, label="PERSON", need=(3, 2), owners=("user", "public")),)
    assert (public.source, public.texts[0].gold[0].label) == ("court", "DATE")


def test_a_span_is_private_unless_every_annotator_gives_it_to_nobody() -> None:
    assert Gold(start=0, end=1, label="PERSON").private
    assert Gold(start=0, end=1, label="PERSON", owners=("public", "user")).private
    assert not Gold(start=0, end=1, label="PERSON", owners=("public", "none")).private


@given(st.text())
def test_lowering_keeps_every_offset(text: str) -> None:
    assert len(lower(text)) == len(text)


@given(st.integers(0, 200), st.integers(1, 60))
def test_thinning_leaves_at_most_the_limit(count: int, limit: int) -> None:
    kept = thin(range(count), limit)  # type: ignore[arg-type]  # numbers stand for items
    assert len(kept) <= limit
    assert bool(kept) == bool(count)
