"""Networks, records and batches so small that a test trains in seconds. Needs torch: import it after `importorskip`."""

from pathlib import Path

import torch

from privguard.encoder.tokens import TextTokenizer
from privguard.research.training.batches import Batch, BatchStream, Source
from privguard.research.training.model import Net, NetSpec
from privguard.research.training.records import Label, LabelledText, Record
from privguard.research.training.seeds import seeded

TOKENIZER = Path(__file__).parents[2] / "encoder" / "model" / "tokenizer.json"
OWNER = (0.0, 1.0, 0.0, 0.0, 0.0)
NEEDED, FREE = (1.0, 1.0, 0.5, 0.0), (0.5, 0.0, 0.0, 0.0)
NAMES, PLACES = ("Ada", "Ben", "Roth", "Kole"), ("Bern", "Graz")


def tokenizer(pieces: int = 1) -> TextTokenizer:
    return TextTokenizer(TOKENIZER, pieces)


def special(tokenize: TextTokenizer) -> tuple[int, int, int]:
    return tokenize.cls_id, tokenize.sep_id, tokenize.pad_id


def spec(*, pieces: int = 1, lean: bool = False, layers: int = 2, interaction: bool = True) -> NetSpec:
    return NetSpec(
        layers=layers,
        hidden=32,
        heads=2,
        head_width=16,
        inner=64,
        vocabulary=200,
        positions=256,
        features=8,
        attention_heads=2,
        attention_width=4,
        need_inner=12,
        pieces=pieces,
        lean=lean,
        interaction=interaction,
    )


def net(**options: bool | int) -> Net:
    """Return a network with random weights, biases and gates too, so that none of them can be forgotten unseen."""
    torch.set_num_threads(1)  # more cost more than they bring
    torch.manual_seed(3)
    made = Net(spec(**options))  # type: ignore[arg-type] # one dict for all options
    with torch.no_grad():
        for weights in made.parameters():
            weights.add_(0.05 * torch.randn_like(weights))
        if made.encoder.gates is not None:
            made.encoder.words.weight[0] = 0
    made.eval()
    return made


def record(number: int, *, source: str = "authored", labelled: bool = True) -> Record:
    """Return an invented request; its name is needed and its place is not."""
    rng = seeded(number)
    name, place = rng.choice(NAMES), rng.choice(PLACES)
    text = f"Translate the email {number}: " + "to and of " * rng.randrange(4) + f"my name is {name} in {place}"
    labels = [
        Label(start=text.index(value), end=text.index(value) + len(value), kind=kind, reach=reach, owner=OWNER)
        for value, kind, reach in ((name, "PERSON", NEEDED), (place, "LOCATION", FREE))
    ]
    body = LabelledText(text=text, labels=tuple(labels) if labelled else ())
    return Record(id=f"r-{number}", source=source, lang="en", texts=(body,))


def records(count: int, *, first: int = 0, source: str = "authored") -> tuple[Record, ...]:
    return tuple(record(first + number, source=source) for number in range(count))


def stream(count: int = 24, *, budget: int = 512, seed: int = 0, pieces: int = 1) -> BatchStream:
    tokenize = tokenizer(pieces)
    sources = {"authored": Source(records=records(count))}
    return BatchStream(sources, tokenize, special(tokenize), budget=budget, seed=seed)


def batch(count: int = 6, *, pieces: int = 1) -> Batch:
    return next(stream(count, budget=10_000, pieces=pieces).round(0))
