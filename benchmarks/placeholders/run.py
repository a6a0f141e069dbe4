"""Which form of placeholder a model returns best, with and without a note that explains them.

python -m benchmarks.placeholders.run --gguf FILE                          (needs llama-cpp-python)
python -m benchmarks.placeholders.run --base-url URL --target NAME         (any server of the OpenAI API)
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.intervals import Share
from benchmarks.placeholders.forms import FORMS, PlaceholderForm, Survival, survival
from benchmarks.placeholders.models import Ask, open_gguf, open_server
from benchmarks.placeholders.prompts import PROMPTS, tasks

Figure = dict[str, Any]


def summary(found: Sequence[Survival]) -> dict[str, Share]:
    """Return the shares of one form: of placeholders, and of replies."""
    asked = sum(each.asked for each in found)
    return {
        "exact": Share(hits=sum(each.exact for each in found), n=asked),
        "exact or mangled": Share(hits=sum(each.exact + each.mangled for each in found), n=asked),
        "replies with all": Share(hits=sum(each.exact + each.mangled == each.asked for each in found), n=len(found)),
        "replies with an invented one": Share(hits=sum(each.invented > 0 for each in found), n=len(found)),
    }


def measure(ask: Ask, form: PlaceholderForm, *, note: bool, draws: int, seed: int) -> list[Survival]:
    """Ask every prompt in one form."""
    label = f"{form.name}, {'note' if note else 'no note'}"
    rounds = list(tasks(form, note=note, draws=draws, seed=seed))
    return [survival(form, task.sent, ask(task.messages)) for task in track(rounds, label)]


def main() -> None:
    """Measure every form and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gguf", type=Path)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--base-url")
    parser.add_argument("--target", default="")
    parser.add_argument("--draws", type=int, default=3, help=f"times {len(PROMPTS)} prompts")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument(
        "--forms", nargs="*", metavar="NAME", help=f"default: all of {', '.join(each.name for each in FORMS)}"
    )
    parser.add_argument("--out", type=Path, help="JSON; a run that was interrupted goes on from it")
    options = parser.parse_args()
    if bool(options.gguf) == bool(options.base_url):
        parser.error("give --gguf or --base-url")
    ask = open_gguf(options.gguf, options.threads) if options.gguf else open_server(options.base_url, options.target)
    wanted = [form for form in FORMS if not options.forms or form.name in options.forms]
    settings: Figure = {"draws": options.draws, "seed": options.seed, "asked": options.target or options.gguf.name}
    figures = _measured(options.out, settings)
    for form in wanted:
        for note in (False, True):
            if any(each["form"] == form.name and each["note"] == note for each in figures):
                continue
            found = summary(measure(ask, form, note=note, draws=options.draws, seed=options.seed))
            shares = {name: share.as_json() for name, share in found.items()}
            figures.append({"form": form.name, "note": note} | settings | shares)
            if options.out:
                options.out.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    Console(width=140).print(_table(figures))


def _measured(path: Path | None, settings: Figure) -> list[Figure]:
    """Return what an interrupted run with the same settings has measured."""
    if path is None or not path.exists():
        return []
    found: list[Figure] = json.loads(path.read_text(encoding="utf-8"))
    return [each for each in found if settings.items() <= each.items()]


def _table(figures: Sequence[Figure]) -> Table:
    names = list(summary(()))
    table = Table("form", "note", *names)
    for each in figures:
        shares = (Share(hits=each[name]["hits"], n=each[name]["n"]) for name in names)
        table.add_row(each["form"], "yes" if each["note"] else "no", *(str(share) for share in shares))
    return table


if __name__ == "__main__":
    main()
