"""Generated training examples: every value invented, all 26 types labelled in each text."""

import argparse
import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from random import Random

from privguard.core.errors import ConfigError
from privguard.research.training.asking import Asker
from privguard.research.training.augment import LabelledSpan, rewrite
from privguard.research.training.composing import Composer
from privguard.research.training.gazetteers import load_gazetteers
from privguard.research.training.lexicon import languages, load_lexicon
from privguard.research.training.noise import native_digits
from privguard.research.training.rendering import Piece, Rendered
from privguard.research.training.scene import Scene
from privguard.research.training.scopes import ASKED
from privguard.research.training.seeds import seeded

SOURCE = "generated"
NATIVE_DIGITS = 0.3
ENGLISH = 0.25  # of the questions about people
EXACT = 4  # the need of whom a question is about; of others it is 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One text with all of its spans, in order and disjoint."""

    id: str
    lang: str
    text: str
    spans: tuple[Piece, ...]
    source: str = SOURCE
    need: int | None = None  # of its people, where it is known

    def row(self) -> dict[str, object]:
        """Return the example as a row of a JSONL file."""
        spans = [{"start": s.start, "end": s.end, "label": s.label, **self._judged(s)} for s in self.spans]
        return {"id": self.id, "source": self.source, "lang": self.lang, "text": self.text, "spans": spans}

    def _judged(self, span: Piece) -> dict[str, object]:
        return {} if self.need is None or span.label != "PERSON" else {"need": self.need, "owner": "person"}


def generate(data: Path, *, n: int, seed: int) -> Iterator[Example]:
    """Draw `n` examples from the gazetteers under `data`; the same seed gives the same examples.

    Raises:
        ConfigError: a gazetteer is missing or not of its format.
    """
    gazetteers = load_gazetteers(data)
    lexicons = [load_lexicon(lang) for lang in languages()]
    weights = [lexicon.weight for lexicon in lexicons]
    for place in range(n):
        # One generator per example: a change in one leaves the others as they are.
        rng = seeded(f"{seed}/{place}")
        lexicon = rng.choices(lexicons, weights)[0]
        scene = Scene(rng=rng, lexicon=lexicon, gazetteers=gazetteers)
        made = _written(Composer(rng=rng, lexicon=lexicon, scene=scene).compose(), rng, lexicon.zero)
        yield Example(id=f"{SOURCE}-{seed}-{place}", lang=lexicon.lang, text=made.text, spans=made.spans)


def ask(data: Path, *, n: int, seed: int) -> Iterator[Example]:
    """Draw `n` questions about people of public life and about invented ones; the same seed gives the same.

    Raises:
        ConfigError: a gazetteer is missing or not of its format.
    """
    gazetteers = load_gazetteers(data)
    others = [lang for lang in languages() if lang != "en"]
    for place in range(n):
        rng = seeded(f"{ASKED}/{seed}/{place}")
        lexicon = load_lexicon("en" if rng.random() < ENGLISH else rng.choice(others))
        asker = Asker(rng=rng, lexicon=lexicon, gazetteers=gazetteers)
        made = _written(asker.ask(), rng, "")
        need = EXACT if asker.needed else 0
        yield Example(
            id=f"{ASKED}-{seed}-{place}", lang=lexicon.lang, text=made.text, spans=made.spans, source=ASKED, need=need
        )


def _written(made: Rendered, rng: Random, zero: str) -> Rendered:
    """Write a text in some hand, without white space around it."""
    lead = len(made.text) - len(made.text.lstrip())
    spans = [
        LabelledSpan(start=piece.start - lead, end=piece.end - lead, label=piece.label, index=number)
        for number, piece in enumerate(made.spans)
    ]
    drawn = (made.text.strip(), tuple(spans))
    if zero and rng.random() < NATIVE_DIGITS:
        drawn = native_digits(*drawn, zero)
    text, moved = rewrite(*drawn, rng)
    return Rendered(text=text, spans=tuple(Piece(start=s.start, end=s.end, label=s.label) for s in moved))


def write(examples: Iterator[Example], out: Path) -> int:
    """Write examples as JSONL and return how many there were; a file of that name appears once it is whole.

    Raises:
        ConfigError: it cannot be written.
    """
    partial = out.with_name(f"{out.name}.part")
    try:
        with partial.open("w", encoding="utf-8") as lines:
            count = 0
            for example in examples:
                lines.write(json.dumps(example.row(), ensure_ascii=False) + "\n")
                count += 1
        partial.replace(out)
    except OSError as error:
        raise ConfigError(f"{out} cannot be written: {error.strerror or type(error).__name__}") from None
    finally:
        with suppress(OSError):
            partial.unlink()
    return count


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="generate", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder with the gazetteers")
    parser.add_argument("--out", type=Path, required=True, help="the JSONL file to write")
    parser.add_argument("--n", type=int, default=12_000)
    parser.add_argument("--asked", type=int, default=8_000, help="questions about people, beside the examples")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    examples = generate(given.data, n=given.n, seed=given.seed)
    write(chain(examples, ask(given.data, n=given.asked, seed=given.seed)), given.out)


if __name__ == "__main__":
    main()
