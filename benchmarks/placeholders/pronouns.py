"""Whether a model takes the right pronoun for a person who left as a placeholder, with and without the hint.

python -m benchmarks.placeholders.pronouns --gguf FILE                     (needs llama-cpp-python)
python -m benchmarks.placeholders.pronouns --base-url URL --target NAME    (any server of the OpenAI API)
"""

import argparse
import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.intervals import Share
from benchmarks.placeholders.forms import PlaceholderForm
from benchmarks.placeholders.models import Ask, open_gguf, open_server
from privguard.core.entities import EntityType
from privguard.core.placeholders import Pronoun, join_hint, write_placeholder

MAX_TOKENS = 64  # a pronoun that comes later than in the second sentence says little
PROMPTS = (
    "Write two sentences about the week of {first}, who has just moved to a new town.",
    "Write a short note to the team that {first} is ill today, and when to expect {again} back.",
    "Write a short reference for {first}, who has worked here for five years.",
    "Continue the story with two sentences: {first} opened the door and saw the snow.",
    "Tell it in your own words, in two sentences: {first} missed the train. {again} came late to the meeting.",
    "Replace the repeated name by a pronoun: {first} wrote the report. {again} sent the report on Friday.",
    "Summarize in two sentences: {first} rents a flat. {again} likes the garden. {again} pays less than before.",
    "Write a birthday toast of two sentences about {first}, who loves to hike.",
    "Answer in one sentence, with a pronoun: Why did {first} go home? {again} had a toothache.",
    "Describe in two sentences what {first} does on the first day of a holiday.",
)
SURNAMES = ("Okafor", "Kole", "Roth", "Belmont", "Marsh", "Reik", "Moor", "Hellmerich", "Vance", "Lindqvist")
_TITLES = {Pronoun.SHE: "Mrs", Pronoun.HE: "Mr"}
_WORDS = {
    Pronoun.SHE: re.compile(r"\b(?:she|her|hers|herself)\b", re.IGNORECASE),
    Pronoun.HE: re.compile(r"\b(?:he|him|his|himself)\b", re.IGNORECASE),
}
_PLACEHOLDER = re.compile(r"\[[^\[\]]*\]")  # a hint that the model repeats is no pronoun of its own
_FORM = PlaceholderForm(name="square", template="[{kind}_{id}]")


class Arm(StrEnum):
    """How the person stands in the prompt."""

    TITLE = "title, as written"
    PLAIN = "placeholder"
    HINT = "placeholder with hint"


class Answer(StrEnum):
    """The pronouns of a reply."""

    RIGHT = "right"
    WRONG = "wrong"
    BOTH = "both"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One prompt."""

    text: str = field(repr=False)
    pronoun: Pronoun


def tasks(arm: Arm, *, draws: int, seed: int) -> Iterator[Task]:
    """Yield every prompt `draws` times for either pronoun, with the same surnames and ids in every arm."""
    for draw in range(draws):
        for number, prompt in enumerate(PROMPTS):
            for pronoun, title in _TITLES.items():
                rng = random.Random(f"{seed}/{draw}/{number}/{pronoun}")
                (placeholder_id,) = _FORM.draw_ids(1, rng)
                named = f"{title} {rng.choice(SURNAMES)}"
                plain = write_placeholder(EntityType.PERSON, placeholder_id)
                hinted = write_placeholder(EntityType.PERSON, placeholder_id, join_hint("", pronoun))
                first = {Arm.TITLE: named, Arm.PLAIN: plain, Arm.HINT: hinted}[arm]
                again = named if arm is Arm.TITLE else plain
                yield Task(text=prompt.format(first=first, again=again), pronoun=pronoun)


def answer_of(reply: str, pronoun: Pronoun) -> Answer:
    """Tell which of the two pronouns a reply uses outside of placeholders."""
    text = _PLACEHOLDER.sub(" ", reply)
    found = {each for each, words in _WORDS.items() if words.search(text)}
    if len(found) == 1:
        return Answer.RIGHT if pronoun in found else Answer.WRONG
    return Answer.BOTH if found else Answer.NONE


def summary(answers: Sequence[Answer]) -> dict[str, Share]:
    """Return the shares of one arm: of all replies, and of those that have one pronoun."""
    counts = {each: answers.count(each) for each in Answer}
    told = counts[Answer.RIGHT] + counts[Answer.WRONG]
    shares = {str(each): Share(hits=count, n=len(answers)) for each, count in counts.items()}
    return shares | {"right of right and wrong": Share(hits=counts[Answer.RIGHT], n=told)}


def measure(ask: Ask, arm: Arm, *, draws: int, seed: int) -> dict[str, dict[str, Share]]:
    """Ask every prompt of one arm; by pronoun, and all together."""
    answers: dict[str, list[Answer]] = {each: [] for each in ("all", *_TITLES)}
    for task in track(list(tasks(arm, draws=draws, seed=seed)), arm):
        found = answer_of(ask([{"role": "user", "content": task.text}]), task.pronoun)
        answers["all"].append(found)
        answers[task.pronoun].append(found)
    return {name: summary(each) for name, each in answers.items()}


def main() -> None:
    """Measure every arm and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gguf", type=Path)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--base-url")
    parser.add_argument("--target", default="")
    parser.add_argument("--draws", type=int, default=5, help=f"times {2 * len(PROMPTS)} prompts")
    parser.add_argument("--arms", nargs="+", type=Arm, default=list(Arm), metavar="ARM", help=", ".join(Arm))
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    if bool(options.gguf) == bool(options.base_url):
        parser.error("give --gguf or --base-url")
    if options.gguf:
        ask = open_gguf(options.gguf, options.threads, max_tokens=MAX_TOKENS)
    else:
        ask = open_server(options.base_url, options.target, max_tokens=MAX_TOKENS)
    table = Table("arm", "person", *summary(()))
    figures: list[dict[str, object]] = []
    for arm in options.arms:
        for name, shares in measure(ask, arm, draws=options.draws, seed=options.seed).items():
            table.add_row(arm, name, *map(str, shares.values()))
            figures.append({"arm": arm, "person": name} | {key: share.as_json() for key, share in shares.items()})
        if options.out:  # after each arm: what is measured is kept
            options.out.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    Console(width=180).print(table)


if __name__ == "__main__":
    main()
