"""A tiny labelled data set, invented, in the three file formats."""

import json
from pathlib import Path
from typing import Any

import pytest

PROMPTS = [
    ("Draft an email to Ada Roth about the gate, number {}", [("NAME", [0, 0]), ("TIME", [0, 1])]),
    ("Plan my trip to Lindenfeld in spring, number {}", [("GEOLOCATION", [4, 4]), ("TIME", [2, 3])]),
    ("Translate: Ben Kole lives in Lindenfeld, number {}", [("NAME", [0, 0]), ("GEOLOCATION", [0, 0])]),
    ("Who is Ben Kole? number {}", [("NAME", [4, 3]), ("AFFILIATION", [1, 1])]),
]
AUTHORED = "Should I tell Ada Roth? number {}"


def write_rows(path: Path, rows: list[dict[str, Any]]) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def real_rows(count: int, *, renamed: bool) -> list[dict[str, Any]]:
    names = {"NAME": "PERSON", "TIME": "DATE", "GEOLOCATION": "LOCATION", "AFFILIATION": "ORGANIZATION"}
    return [
        {
            "id": f"row-{number}-{place}",
            "text": text.format(number),
            "spans": [
                {"type": names[kind] if renamed else kind, "need": need[:1] if renamed else need}
                for kind, need in spans
            ],
        }
        for number in range(count)
        for place, (text, spans) in enumerate(PROMPTS)
    ]


def authored_rows(count: int) -> list[dict[str, Any]]:
    def span(text: str, value: str, kind: str, need: list[int]) -> dict[str, Any]:
        return {"start": text.index(value), "end": text.index(value) + len(value), "type": kind, "need": need}

    rows: list[dict[str, Any]] = []
    for number in range(count):
        text = AUTHORED.format(number)
        rows.append({"id": f"a-{number}", "text": text, "spans": [span(text, "Ada Roth", "PERSON", [3, 0])]})
        first, reply, last = f"hello from Ada Roth, {number}", "Hello Ada Roth!", "How old is Ada Roth?"
        labels: list[list[int]] = [[1, 1], [0, 0], [4, 4]]
        messages = [
            {"role": role, "content": content, "spans": [span(content, "Ada Roth", "PERSON", need)]}
            for role, content, need in zip(("user", "assistant", "user"), (first, reply, last), labels, strict=True)
        ]
        rows.append({"id": f"c-{number}", "messages": messages})
    return rows


@pytest.fixture
def need_folder(tmp_path: Path) -> Path:
    """Return a folder with all three files."""
    folder = tmp_path / "data"
    folder.mkdir()
    write_rows(folder / "need" / "minimization_prompts.jsonl", real_rows(12, renamed=False))
    write_rows(folder / "need" / "pupa_prompts.jsonl", real_rows(6, renamed=True))
    write_rows(folder / "authored" / "train.jsonl", authored_rows(8))
    return folder
