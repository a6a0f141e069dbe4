"""What a GPU gives: throughput by batch, latency of one segment, and whether it agrees with the CPU.

    python -m benchmarks.gpu.run [--model NAME|FOLDER] [--seconds 3] [--texts 2000] [--out FILE.json]

Needs the extra `gpu` and a CUDA card; refuses without. Takes under five minutes. Segments are 128 tokens of invented
prose; the graph alone is timed, tokenizer and decoding left out, except in the last figure.
"""

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from benchmarks.latency.texts import make_text
from privguard.core.errors import ConfigError
from privguard.core.segments import Channel, Role, Segment
from privguard.encoder.loading import default_model, find_model, load_encoder

if TYPE_CHECKING:
    from privguard.encoder.artifact import Artifact
    from privguard.encoder.encoder import TokenEncoder
    from privguard.encoder.session import OnnxSession, Outputs

SEED = 7
TOKENS = 128  # of a segment, special tokens included
BATCHES = (1, 8, 32, 128, 512)
AGREEMENT = 0.995
IntArray = NDArray[np.int64]
Found = set[tuple[int, int, int, str]]  # text, start, end, type


def card() -> str:
    """Return the name of the card.

    Raises:
        ConfigError: there is none.
    """
    tool = shutil.which("nvidia-smi")
    asked = [tool, "--query-gpu=name,driver_version,memory.total", "--format=csv,noheader"] if tool else []
    answer = subprocess.run(asked, capture_output=True, text=True, check=False) if asked else None
    if answer is None or answer.returncode or not answer.stdout.strip():
        raise ConfigError("this benchmark needs an NVIDIA card: nvidia-smi is absent or names none")
    return answer.stdout.strip().splitlines()[0]


class Recorder:
    """A session that keeps the rows it is asked for, so that the graph can be timed on them by itself."""

    def __init__(self, features: int) -> None:
        from privguard.encoder.session import Device

        self.device = Device.CPU  # rows then come one by one, without padding
        self._features = features
        self.rows: list[tuple[IntArray, IntArray]] = []

    def run(self, ids: IntArray, shapes: IntArray, mask: IntArray) -> "Outputs":
        """Keep the rows that are long enough, and find nothing."""
        from privguard.encoder.labels import TAG_COUNT
        from privguard.encoder.session import Outputs

        if mask.shape[1] >= TOKENS:
            self.rows.append((ids[0, :TOKENS], shapes[0, :TOKENS]))
        return Outputs(
            tags=np.zeros((*mask.shape, TAG_COUNT + 1), dtype=np.float32),
            features=np.zeros((*mask.shape, self._features), dtype=np.float32),
        )


def record(artifact: "Artifact", rng: Random, count: int) -> tuple[IntArray, IntArray]:
    """Return ids and shapes of so many segments of invented prose.

    Raises:
        ConfigError: the windows of the artifact are shorter than a segment.
    """
    from privguard.encoder.encoder import TokenEncoder

    if artifact.manifest.length + 2 < TOKENS:
        raise ConfigError(f"the windows of this model have fewer than {TOKENS} tokens")
    recorder = Recorder(artifact.manifest.features)
    encoder = TokenEncoder(artifact, recorder)
    while len(recorder.rows) < count:
        encoder.encode([make_text(rng, 8_000)])
    ids, shapes = zip(*recorder.rows[:count], strict=True)
    return np.stack(ids), np.stack(shapes)


def time_batches(
    session: "OnnxSession", segments: tuple[IntArray, IntArray], seconds: float
) -> dict[int, dict[str, float]]:
    """Return segments a second and milliseconds a call, by batch size."""
    found = {}
    ids, shapes = segments
    for size in BATCHES:
        mask = np.ones((size, TOKENS), dtype=np.int64)
        starts = range(0, len(ids) - size + 1, size)
        for start in starts[:3]:
            session.run(ids[start : start + size], shapes[start : start + size], mask)
        taken: list[float] = []
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            start = starts[len(taken) % len(starts)]
            begun = time.perf_counter()
            session.run(ids[start : start + size], shapes[start : start + size], mask)
            taken.append(time.perf_counter() - begun)
        median = statistics.median(taken)
        found[size] = {
            "segments_per_s": round(size / median, 1),
            "p50_ms": round(1000 * median, 3),
            "p95_ms": round(1000 * sorted(taken)[int(0.95 * (len(taken) - 1))], 3),
            "calls": len(taken),
        }
    return found


def find(encoder: "TokenEncoder", texts: Sequence[str]) -> tuple[Found, float]:
    """Return all spans of the encoder alone, and the seconds that they took."""
    from privguard.detect.encoded import EncoderDetector

    detector = EncoderDetector(encoder)
    segments = [
        Segment(path=f"texts[{number}]", role=Role.USER, channel=Channel.TEXT, text=text)
        for number, text in enumerate(texts)
    ]
    begun = time.perf_counter()
    found = detector.detect(segments)
    taken = time.perf_counter() - begun
    return {(number, span.start, span.end, span.kind.value) for number, row in enumerate(found) for span in row}, taken


def measure(model: str | Path, *, seconds: float, texts: int) -> dict[str, Any]:
    """Measure everything.

    Raises:
        ConfigError: no card, no CUDA in onnxruntime, or no fp16 graph in the artifact.
    """
    name = card()
    gpu = load_encoder(model, device="cuda")
    from privguard.encoder.session import Device, open_session

    session = open_session(gpu.artifact, device=Device.CUDA)
    batches = time_batches(session, record(gpu.artifact, Random(SEED), 4 * max(BATCHES)), seconds)
    sample = [make_text(Random(SEED + number), 500) for number in range(texts)]
    on_gpu, gpu_s = find(gpu, sample)
    on_cpu, cpu_s = find(load_encoder(model, device="cpu"), sample)
    every = len(on_gpu | on_cpu)
    return {
        "card": name,
        "model": gpu.id,
        "tokens_per_segment": TOKENS,
        "batches": batches,
        "spans": {"cpu_int8": len(on_cpu), "gpu_fp16": len(on_gpu), "either": every},
        "agreement": round(len(on_gpu & on_cpu) / every, 5) if every else None,
        "texts": texts,
        "texts_per_s": {"gpu_fp16": round(texts / gpu_s, 1), "cpu_int8_one_thread": round(texts / cpu_s, 1)},
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, write; exit with 1 where CPU and GPU agree too rarely."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", help="a model by name or folder; default: the shipped one")
    parser.add_argument("--seconds", type=float, default=3.0, help="per batch size")
    parser.add_argument("--texts", type=int, default=2_000, help="of 500 characters, for the agreement")
    parser.add_argument("--out", type=Path, help="write the figures as JSON")
    options = parser.parse_args(arguments)
    model = options.model or default_model()
    if model is None:
        sys.exit("no model is shipped; name one: --model FOLDER")
    try:
        figures = measure(find_model(model), seconds=options.seconds, texts=options.texts)
    except ConfigError as error:
        sys.exit(str(error))
    _show(figures)
    if options.out is not None:
        options.out.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    if figures["agreement"] is not None and figures["agreement"] < AGREEMENT:
        sys.exit(1)


def _show(figures: dict[str, Any]) -> None:
    table = Table(title=f"{figures['card']}, {figures['model']}, segments of {TOKENS} tokens, fp16")
    for column in ("batch", "segments a second", "p50, ms", "p95, ms", "calls"):
        table.add_column(column, justify="right")
    for size, row in figures["batches"].items():
        table.add_row(str(size), *(f"{value:,}" for value in row.values()))
    console = Console()
    console.print(table)
    spans = figures["spans"]
    console.print(
        f"CPU int8 and GPU fp16 give the same span, of the same type, in {figures['agreement']} of {spans['either']} "
        f"spans that either finds ({spans['cpu_int8']} and {spans['gpu_fp16']}; bar {AGREEMENT})"
    )
    console.print(f"whole texts a second, tokenizer and decoding included: {figures['texts_per_s']}")


if __name__ == "__main__":
    main()
