"""The training loop: resumable, deterministic in its data order, with averaged weights and a log of its own."""

import json
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Protocol

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812

from privguard.core.errors import ConfigError
from privguard.research.training.batches import Batch
from privguard.research.training.examples import IGNORE
from privguard.research.training.loss import need_loss, owner_loss, tag_loss
from privguard.research.training.model import NeedOutput, Net, NetSpec

CHECKPOINT = "checkpoint.pt"
LOG = "log.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSpec:
    """The hyper-parameters of a run."""

    rounds: int
    rate: float = 2e-4  # of the encoder; fresh parts learn at `fresh_rate`
    fresh_rate: float = 1e-3
    warmup: float = 0.05  # share of the steps
    weight_decay: float = 0.01
    average: float = 0.998  # decay of the averaged weights
    need_weight: float = 1.0
    owner_weight: float = 0.2
    begin_weight: float = 0.3
    steps_a_round: int = 0  # 0: as the data gives; else an estimate for the schedule
    seed: int = 0
    start: str = ""  # id of the exported model that it began from; empty: the base weights


class Rounds(Protocol):
    """A stream of batches, one round after the other."""

    def round(self, number: int) -> Iterator[Batch]:
        """Yield the batches of one round; the same number gives the same batches."""
        ...


Extra = Callable[[Batch, Tensor, NeedOutput | None], Tensor]
"""An additional loss from the batch, its tag logits and the needs of its spans: distillation."""


class Trainer:
    """Train a network over rounds of batches, with a checkpoint after each."""

    def __init__(self, net: Net, spec: RunSpec, folder: Path, extra: Extra | None = None) -> None:
        self.net = net
        self.spec = spec
        self._folder = folder
        self._extra = extra
        fresh = {"encoder.shapes", "encoder.tags", "encoder.features", "need"}
        slow: list[Tensor] = []
        fast: list[Tensor] = []
        for name, weights in net.named_parameters():
            (fast if any(name.startswith(prefix) for prefix in fresh) else slow).append(weights)
        self._optimizer = torch.optim.AdamW(
            [{"params": slow, "lr": spec.rate}, {"params": fast, "lr": spec.fresh_rate}],
            weight_decay=spec.weight_decay,
            betas=(0.9, 0.98),
            fused=True,
        )
        self._base_rates = (spec.rate, spec.fresh_rate)
        self.averaged = {name: weights.detach().clone() for name, weights in net.state_dict().items()}
        self.step = 0
        self.round = 0
        self._per_round = spec.steps_a_round
        folder.mkdir(parents=True, exist_ok=True)

    def resume(self) -> bool:
        """Load the checkpoint of the folder, if there is one.

        Raises:
            ConfigError: it is of another network; only `rounded` and the number of rounds may change on the way.
        """
        path = self._folder / CHECKPOINT
        if not path.exists():
            return False
        state = torch.load(path, weights_only=True)
        theirs, ours = state["spec"] | {"rounded": False}, self.net.spec.to_dict() | {"rounded": False}
        other = sorted(name for name in theirs.keys() | ours.keys() if theirs.get(name, False) != ours.get(name, False))
        if other:
            raise ConfigError(
                f"{self._folder} holds the run of another network ({', '.join(other)}): give another --out"
            )
        self.net.load_state_dict(state["net"])
        self._optimizer.load_state_dict(state["optimizer"])
        self.averaged = state["averaged"]
        self.step, self.round, self._per_round = state["step"], state["round"], state["per_round"]
        # What it began from is what it began from, whatever is named now.
        self.spec = replace(self.spec, start=state["run"].get("start", ""))
        return True

    def run(
        self, stream: Rounds, evaluate: Callable[[Net], dict[str, float]] | None = None
    ) -> Iterator[dict[str, float]]:
        """Train to the last round, yielding the figures of each; those of an exported model come first, as round 0."""
        if self.spec.start and not self.round and evaluate is not None:
            before = {"round": 0, **evaluate(self.average_net())}
            self._log(before)
            yield before
        while self.round < self.spec.rounds:
            torch.manual_seed(self.spec.seed * 1000 + self.round)
            started = time.perf_counter()
            batches = list(stream.round(self.round))
            self._per_round = self._per_round or len(batches)
            sums: dict[str, float] = {}
            tokens = 0
            for batch in batches:
                for name, value in self._advance(batch).items():
                    sums[name] = sums.get(name, 0.0) + value
                tokens += int(batch.mask.sum())
            self.round += 1
            figures = {name: value / len(batches) for name, value in sums.items()}
            seconds = time.perf_counter() - started
            figures |= {"round": self.round, "step": self.step, "tokens": tokens, "seconds": round(seconds, 1)}
            if evaluate is not None:
                figures |= evaluate(self.average_net())
            self._save()
            self._log(figures)
            yield figures

    def average_net(self) -> Net:
        """Return a copy of the network with the averaged weights."""
        copy = Net(self.net.spec)
        copy.load_state_dict(self.averaged)
        copy.eval()
        return copy

    def _advance(self, batch: Batch) -> dict[str, float]:
        self.net.train()
        factor = self._factor()
        for group, rate in zip(self._optimizer.param_groups, self._base_rates, strict=True):
            group["lr"] = rate * factor
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss, parts = self.losses(batch)
        self._optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self._optimizer.step()
        self.step += 1
        decay = min(self.spec.average, (1 + self.step) / (10 + self.step))
        with torch.no_grad():
            for name, weights in self.net.state_dict().items():
                self.averaged[name].lerp_(weights, 1 - decay)
        return parts

    def losses(self, batch: Batch) -> tuple[Tensor, dict[str, float]]:
        """Return the total loss and its parts."""
        logits, features = self.net.encoder(batch.ids, batch.shapes, batch.mask)
        content = batch.tags != IGNORE
        scopes = batch.scopes[:, None, :].expand(-1, batch.tags.shape[1], -1)[content]
        tag = tag_loss(logits[..., :-1][content], batch.tags[content], scopes)
        inside = batch.begins != IGNORE
        begin = logits.new_zeros(())
        if inside.any():
            begin = F.binary_cross_entropy_with_logits(logits[..., -1][inside].float(), batch.begins[inside].float())
        total = tag + self.spec.begin_weight * begin
        parts = {"tag": float(tag.detach()), "begin": float(begin.detach())}
        output = None
        if len(batch.span_window):
            output = need_output(self.net, batch, features)
            need = need_loss(output, self.net.need.thresholds(), batch.reach, batch.reach_weight)
            owner = owner_loss(output.owner, batch.owner, batch.owner_weight)
            # A batch counts by its spans, so that each span weighs the same.
            share = min(1.0, len(batch.span_window) / 60)
            total = total + share * (self.spec.need_weight * need + self.spec.owner_weight * owner)
            parts |= {"need": float(need.detach()), "owner": float(owner.detach())}
        if self._extra is not None:
            extra = self._extra(batch, logits, output)
            total = total + extra
            parts["extra"] = float(extra.detach())
        return total, parts

    def _factor(self) -> float:
        total = max(1, self.spec.rounds * (self._per_round or 1))
        warm = max(1.0, self.spec.warmup * total)
        if self.step < warm:
            return (self.step + 1) / warm
        done = min(1.0, (self.step - warm) / max(1.0, total - warm))
        return 0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * done))

    def _save(self) -> None:
        state = {
            "net": self.net.state_dict(),
            "averaged": self.averaged,
            "optimizer": self._optimizer.state_dict(),
            "spec": self.net.spec.to_dict(),
            "run": asdict(self.spec),
            "step": self.step,
            "round": self.round,
            "per_round": self._per_round,
        }
        partial = self._folder / f"{CHECKPOINT}.part"
        torch.save(state, partial)
        partial.replace(self._folder / CHECKPOINT)

    def _log(self, figures: dict[str, float]) -> None:
        with (self._folder / LOG).open("a", encoding="utf-8") as log:
            log.write(json.dumps(figures) + "\n")


def need_output(net: Net, batch: Batch, features: Tensor) -> NeedOutput:
    """Pool the spans of a batch and score them against their instructions."""
    rows = features[batch.span_window]
    places = torch.arange(features.shape[1])
    inside = (places >= batch.span_tokens[:, :1]) & (places < batch.span_tokens[:, 1:])
    weight = inside.to(rows.dtype)
    pooled = torch.einsum("nt,ntf->nf", weight, rows) / weight.sum(1, keepdim=True).clamp(min=1)
    flat = features.flatten(0, 1)
    instruction = flat[batch.instruction][batch.span_group]
    mask = batch.instruction_mask[batch.span_group]
    output: NeedOutput = net.need(pooled, batch.span_tags, batch.span_own.to(rows.dtype), instruction, mask)
    return output


def load_net(path: Path) -> Net:
    """Return the averaged network of a checkpoint.

    Raises:
        ConfigError: there is none.
    """
    if not path.is_file():
        raise ConfigError(
            f"{path.parent} holds no {path.name}: it is not the folder of a run, or its first round is not over"
        )
    state = torch.load(path, weights_only=True)
    known = {field.name for field in fields(NetSpec)}
    # A choice that is gone since, and was off, says nothing; one that was on is refused.
    net = Net(NetSpec(**{name: value for name, value in state["spec"].items() if value or name in known}))
    net.load_state_dict(state["averaged"])
    net.eval()
    return net


__all__ = ["CHECKPOINT", "LOG", "RunSpec", "Trainer", "load_net", "need_output"]
