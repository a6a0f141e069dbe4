"""`privguard train`: teach the shipped models anew. Hours of work, resumed where they stopped."""

from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

import typer

from privguard.core.errors import ConfigError
from privguard.encoder.loading import models_folder, open_artifact, renew_digests
from privguard.research.training.folder import (
    CORPORA,
    GAZETTEERS,
    check_folder,
    check_generated,
    has_lists,
    parts_of,
)

app = typer.Typer(help="Train the encoder, distil the small one, export artifacts.", no_args_is_help=True)

DataOption = Annotated[Path, typer.Option("--data", metavar="DIR", help="The folder that holds the corpora.")]
OutOption = Annotated[
    Path, typer.Option("--out", metavar="DIR", help="Checkpoints, log, card. A run found here goes on.")
]
GeneratedOption = Annotated[
    Path | None, typer.Option("--generated", metavar="FILE", help="Generated examples: see `train generate`.")
]
WrittenOption = Annotated[
    Path | None, typer.Option("--written", metavar="DIR", help="Prompts written for training: the folder `prompts`.")
]
RoundsOption = Annotated[int, typer.Option("--rounds", min=1, help="Rounds over the mixture of sources.")]
SeedOption = Annotated[int, typer.Option("--seed", help="Of everything random.")]
ThreadsOption = Annotated[int, typer.Option("--threads", min=1, help="CPU threads.")]
StartOption = Annotated[
    str | None,
    typer.Option(
        "--start", metavar="MODEL", help="Train this exported model further: a shipped one's name or a folder."
    ),
]
RateOption = Annotated[
    float | None,
    typer.Option(
        "--rate",
        min=1e-8,
        max=1.0,
        help="Highest learning rate of the encoder; the heads follow. "
        "Default: 2.5e-4 for a teacher, 1e-3 for a student, and 0.3 of that with --start.",
    ),
]


@app.command()
def generate(
    *,
    data: DataOption,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where the examples go, one JSON object a line.")],
    count: Annotated[int, typer.Option("--count", min=1, help="How many.")] = 12_000,
    seed: SeedOption = 0,
) -> None:
    """Write generated examples, all types labelled."""
    from privguard.research.training.generate import generate as draw
    from privguard.research.training.generate import write

    write(draw(data, n=count, seed=seed), out)


@app.command()
def teacher(
    *,
    data: DataOption,
    out: OutOption,
    generated: GeneratedOption = None,
    written: WrittenOption = None,
    start: StartOption = None,
    rate: RateOption = None,
    rounds: RoundsOption = 9,
    seed: SeedOption = 0,
    threads: ThreadsOption = 2,
    authored: Annotated[bool, typer.Option(help="Whether authored prompts are trained on: an ablation.")] = True,
    interaction: Annotated[bool, typer.Option(help="Whether a span reads the instruction: an ablation.")] = True,
    rounded: Annotated[
        bool,
        typer.Option(
            "--rounded", help="Train under the rounding of int8: in the last round of a run, or with --start."
        ),
    ] = False,
) -> None:
    """Train the six-layer model `small`, or an exported model further, on labels."""
    run, job = _run_and_job(data, out, generated, written, start, rate=rate, rounds=rounds, seed=seed, threads=threads)
    run.train_teacher(
        job,
        authored=authored,
        interaction=interaction,
        rounded=rounded,
    )


@app.command()
def student(
    *,
    data: DataOption,
    out: OutOption,
    source: Annotated[
        str, typer.Option("--teacher", metavar="DIR|MODEL", help="The run of the teacher, or a model as with --start.")
    ],
    generated: GeneratedOption = None,
    written: WrittenOption = None,
    start: StartOption = None,
    rate: RateOption = None,
    rounds: RoundsOption = 12,
    seed: SeedOption = 0,
    threads: ThreadsOption = 2,
) -> None:
    """Distil the model `tiny`, or an exported model further, from a teacher."""
    run, job = _run_and_job(data, out, generated, written, start, rate=rate, rounds=rounds, seed=seed, threads=threads)
    run.train_student(job, teacher=source)


@app.command()
def settle(
    *,
    data: DataOption,
    out: OutOption,
    source: Annotated[
        str, typer.Option("--student", metavar="DIR|MODEL", help="The run of the student, or a model as with --start.")
    ],
    generated: GeneratedOption = None,
    written: WrittenOption = None,
    rounds: RoundsOption = 5,
    seed: SeedOption = 0,
    threads: ThreadsOption = 2,
) -> None:
    """End the training of `tiny` on labels alone."""
    run, job = _run_and_job(data, out, generated, written, rounds=rounds, seed=seed, threads=threads)
    run.settle_student(job, student=source)


@app.command()
def export(
    *,
    run_folder: Annotated[Path, typer.Option("--run", metavar="DIR", help="The run to export.")],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The artifact.")],
    data: DataOption,
    name: Annotated[str, typer.Option("--name", help="tiny or small.")],
    version: Annotated[str, typer.Option("--version", help="Of the artifact.")],
    written: WrittenOption = None,
    start: Annotated[
        str | None,
        typer.Option(
            "--start", metavar="MODEL", help="What the run began with: what there is of --data is enough then."
        ),
    ] = None,
) -> None:
    """Export a run: calibrate on the held-out records, quantise, write the manifest.

    Where it replaces a shipped model, the digest that its manifest is checked against is renewed.
    """
    _check_sources(data, None, written, lists=False, complete=start is None)
    begun = None if start is None else open_artifact(start)
    _run_module().export_run(run_folder, out, data=data, name=name, version=version, written=written, start=begun)
    if out.resolve().parent == models_folder().resolve():
        renew_digests()


def _check_sources(
    data: Path, generated: Path | None, written: Path | None, *, lists: bool = True, complete: bool
) -> None:
    """Refuse what is not there before PyTorch is loaded, and before it is asked for."""
    if complete:
        check_folder(data, (*CORPORA, *(GAZETTEERS if lists else ())))
    elif not parts_of(data, CORPORA) and generated is None and written is None:
        raise ConfigError(
            f"{data} holds no corpus, and neither --written nor --generated is given: there is nothing to train on; "
            "docs/training.md says what the folder of --data holds"
        )
    elif lists:
        has_lists(data)
    if generated is not None:
        check_generated(generated)
    if written is not None:
        from privguard.research.training.written import written_files

        written_files(written)


def _run_and_job(
    data: Path,
    out: Path,
    generated: Path | None,
    written: Path | None,
    start: str | None = None,
    **numbers: float | None,
) -> tuple[ModuleType, Any]:
    """Check the sources before anything heavy is imported, and put the job together."""
    _check_sources(data, generated, written, complete=start is None)
    begun = None if start is None else open_artifact(start)
    run = _run_module()
    return run, run.Job(data=data, out=out, generated=generated, written=written, start=begun, **numbers)


def _run_module() -> ModuleType:
    """Import what trains, late for its weight."""
    try:
        from privguard.research.training import run
    except ImportError as error:
        raise ConfigError(
            f"training needs the extras `train` and `cpu` ({error.name} is missing): pip install 'privguard[train,cpu]'"
        ) from None
    return run
