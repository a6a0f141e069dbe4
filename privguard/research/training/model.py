"""The network: a BERT encoder with token shapes, a tag head, and a need head by late interaction.

The encoder gives every token tag logits and a *feature*. A span is the mean of its features; the tokens of the
instruction are attended to by it, and the two together give difficulties and owner. The need head needs features only,
so that a document is encoded once and read again against each new instruction.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - the name everybody knows

from privguard.encoder.labels import OWNERS, TAG_COUNT
from privguard.encoder.tokens import SHAPES

NORM_EPSILON = 1e-6
DROPOUT = 0.1
WEIGHT_LEVELS = 63  # 7 bits: processors without VNNI overflow on products of 8 by 8


@dataclass(frozen=True, slots=True, kw_only=True)
class NetSpec:
    """The size of a network."""

    layers: int = 6
    hidden: int = 384
    heads: int = 12
    head_width: int = 32
    inner: int = 1536
    vocabulary: int = 30522
    positions: int = 512
    features: int = 96
    attention_heads: int = 4  # of the need head
    attention_width: int = 24
    need_inner: int = 192
    pieces: int = 1  # word pieces per unit
    lean: bool = False  # layers made for a CPU: pre-norm without gain, no biases, ReLU
    rounded: bool = False  # train under the rounding of the int8 form; a lean network always does
    interaction: bool = True  # False: the ablation without late interaction

    def to_dict(self) -> dict[str, int | bool]:
        """Return the fields for a checkpoint or a run card."""
        return asdict(self)


class RoundedLinear(nn.Linear):  # type: ignore[misc] # torch is absent where types are checked
    """A product that learns under the rounding of its int8 form: in training alone."""

    def forward(self, states: Tensor) -> Tensor:
        """Return the product, in training with activations and weights rounded as the exported graph does."""
        if not self.training:
            return F.linear(states, self.weight, self.bias)
        return F.linear(_rounded_states(states), _rounded_weights(self.weight), self.bias)


def _rounded_states(states: Tensor) -> Tensor:
    """Round to 256 levels between the extremes, 0 included, and let the gradient pass."""
    with torch.no_grad():
        plain = states.float()
        low, high = plain.min().clamp(max=0), plain.max().clamp(min=0)
        step = ((high - low) / 255).clamp(min=1e-9)
        rounding = (plain / step).round() * step - plain
    return states + rounding.to(states.dtype)


def _rounded_weights(weights: Tensor) -> Tensor:
    """Round each output channel to 127 levels, and let the gradient pass."""
    with torch.no_grad():
        step = (weights.abs().amax(1, keepdim=True) / WEIGHT_LEVELS).clamp(min=1e-9)
        rounding = (weights / step).round() * step - weights
    return weights + rounding


class Layer(nn.Module):  # type: ignore[misc] # torch is absent where types are checked
    """One post-norm transformer layer."""

    def __init__(self, spec: NetSpec) -> None:
        super().__init__()
        width = spec.heads * spec.head_width
        self.heads = spec.heads
        self.scale = spec.head_width**-0.5
        kind = RoundedLinear if spec.rounded else nn.Linear
        self.query = kind(spec.hidden, width)
        self.key = kind(spec.hidden, width)
        self.value = kind(spec.hidden, width)
        self.out = kind(width, spec.hidden)
        self.attention_norm = nn.LayerNorm(spec.hidden, eps=1e-12)
        self.up = kind(spec.hidden, spec.inner)
        self.down = kind(spec.inner, spec.hidden)
        self.norm = nn.LayerNorm(spec.hidden, eps=1e-12)
        self.dropout = nn.Dropout(DROPOUT)

    def forward(self, states: Tensor, bias: Tensor | None) -> Tensor:
        """Return the new states, `(batch, tokens, hidden)`; `bias` is added to the attention logits."""
        query, key, value = (
            layer(states).unflatten(-1, (self.heads, -1)).transpose(1, 2)
            for layer in (self.query, self.key, self.value)
        )
        # Written out: the fused kernel is several times slower backwards on a CPU.
        logits = query @ key.transpose(-1, -2) * self.scale
        logits = logits if bias is None else logits + bias
        mixed = self.out((logits.softmax(-1).to(value.dtype) @ value).transpose(1, 2).flatten(2))
        states = self.attention_norm(states + self.dropout(mixed))
        inner = self.up(states)
        out: Tensor = self.norm(states + self.dropout(self.down(F.gelu(inner))))
        return out


class LeanLayer(nn.Module):  # type: ignore[misc] # torch is absent where types are checked
    """One pre-norm layer that spends its time in matrix products: no biases, no gains, ReLU."""

    def __init__(self, spec: NetSpec) -> None:
        super().__init__()
        self.heads = spec.heads
        self.width = spec.heads * spec.head_width
        self.scale = spec.head_width**-0.5
        self.joined = RoundedLinear(spec.hidden, 3 * self.width, bias=False)
        self.out = RoundedLinear(self.width, spec.hidden, bias=False)
        self.up = RoundedLinear(spec.hidden, spec.inner, bias=False)
        self.down = RoundedLinear(spec.inner, spec.hidden, bias=False)

    def forward(self, states: Tensor, bias: Tensor | None) -> Tensor:
        """Return the new states, `(batch, tokens, hidden)`; `bias` is added to the attention logits."""
        query, key, value = (
            part.unflatten(-1, (self.heads, -1)).transpose(1, 2)
            for part in self.joined(unit_norm(states)).split(self.width, -1)
        )
        logits = query @ key.transpose(-1, -2) * self.scale
        logits = logits if bias is None else logits + bias
        states = states + self.out((logits.softmax(-1).to(value.dtype) @ value).transpose(1, 2).flatten(2))
        out: Tensor = states + self.down(F.relu(self.up(unit_norm(states))))
        return out


def unit_norm(states: Tensor) -> Tensor:
    """Scale the last axis to a root mean square of 1."""
    power = (states * states).float().mean(-1, keepdim=True)
    return states / (power + NORM_EPSILON).sqrt()


class Encoder(nn.Module):  # type: ignore[misc] # torch is absent where types are checked
    """Token ids and shapes to tag logits, begin logits and features."""

    def __init__(self, spec: NetSpec) -> None:
        super().__init__()
        self.spec = spec
        # Entry 0 is no piece at all: it stays zero.
        self.words = nn.Embedding(spec.vocabulary, spec.hidden, padding_idx=0 if spec.pieces > 1 else None)
        # What a piece gives to its unit depends on its place: otherwise a word would be a bag of pieces.
        self.gates = nn.Parameter(torch.ones(spec.pieces, spec.hidden)) if spec.pieces > 1 else None
        self.places = nn.Embedding(spec.positions, spec.hidden)
        self.shapes = nn.Embedding(SHAPES, spec.hidden)
        nn.init.normal_(self.shapes.weight, std=0.02)
        self.norm = nn.LayerNorm(spec.hidden, eps=1e-12)
        self.dropout = nn.Dropout(DROPOUT)
        kind = LeanLayer if spec.lean else Layer
        self.layers = nn.ModuleList(kind(spec) for _ in range(spec.layers))
        self.tags = nn.Linear(spec.hidden, TAG_COUNT + 1)
        self.features = nn.Linear(spec.hidden, spec.features)

    def forward(self, ids: Tensor, shapes: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Encode windows.

        Args:
            ids: `(batch, tokens, pieces)` vocabulary ids, special tokens included, 0 where a unit has fewer pieces.
            shapes: `(batch, tokens)` token shapes, 0 at special tokens.
            mask: `(batch, tokens)` true at tokens, false at padding.

        Returns:
            `(batch, tokens, TAG_COUNT + 1)` logits, the last one "begins a span", and `(batch, tokens, features)`.
        """
        states = self.hidden_states(ids, shapes, mask)[-1]
        states = unit_norm(states) if self.spec.lean else states
        return self.tags(states), self.features(states)

    def hidden_states(self, ids: Tensor, shapes: Tensor, mask: Tensor) -> list[Tensor]:
        """Return the states after the embeddings and after each layer."""
        places = torch.arange(ids.shape[1], device=ids.device)
        embedded = embed_units(self.words, self.gates, ids)
        states = self.dropout(self.norm(embedded + self.places(places) + self.shapes(shapes)))
        # Where nothing is padding the bias is nothing but additions of zero.
        bias = None if bool(mask.all()) else _attention_bias(mask, states.dtype)
        result = [states]
        for layer in self.layers:
            states = layer(states, bias)
            result.append(states)
        return result


def embed_units(words: nn.Module, gates: Tensor | None, ids: Tensor) -> Tensor:
    """Return the sum of the pieces of each unit, `(..., hidden)` of `(..., pieces)`."""
    if gates is None:
        single: Tensor = words(ids[..., 0])
        return single
    total: Tensor = (words(ids) * gates).sum(-2)
    return total


def _attention_bias(mask: Tensor, dtype: torch.dtype) -> Tensor:
    return torch.zeros(mask.shape, dtype=dtype).masked_fill(~mask, -1e4)[:, None, None, :]


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedOutput:
    """Difficulties in logits, `(n,)` each with `b_abstract < b_redact`, and owner logits `(n, owners)`."""

    b_redact: Tensor
    b_abstract: Tensor
    owner: Tensor


class NeedHead(nn.Module):  # type: ignore[misc] # torch is absent where types are checked
    """Span features and instruction features to difficulties and owner."""

    def __init__(self, spec: NetSpec) -> None:
        super().__init__()
        self.spec = spec
        self.kinds = nn.Embedding(TAG_COUNT, spec.features)
        nn.init.normal_(self.kinds.weight, std=0.1)
        attended = spec.attention_heads * spec.attention_width
        self.query = nn.Linear(2 * spec.features, attended)
        self.key = nn.Linear(spec.features, attended, bias=False)
        self.value = nn.Linear(spec.features, attended)
        self.up = nn.Linear(2 * spec.features + attended + 1, spec.need_inner)
        self.out = nn.Linear(spec.need_inner, 2 + len(OWNERS))
        # Thresholds of the ordinal labels on the scale of theta: 0, then strictly increasing steps.
        self.steps = nn.Parameter(torch.zeros(2))

    def forward(self, spans: Tensor, tags: Tensor, own: Tensor, instruction: Tensor, mask: Tensor) -> NeedOutput:
        """Score spans against the instruction of their record.

        Args:
            spans: `(n, features)` mean features.
            tags: `(n,)` tag of each span.
            own: `(n,)` 1 where the span stands in the instruction message, else 0.
            instruction: `(n, tokens, features)`.
            mask: `(n, tokens)` true at instruction tokens; without any, nothing is attended to.
        """
        joined = torch.cat([spans, self.kinds(tags)], dim=-1)
        heads = (self.spec.attention_heads, self.spec.attention_width)
        query = self.query(joined).unflatten(-1, heads)
        key = self.key(instruction).unflatten(-1, heads)
        value = self.value(instruction).unflatten(-1, heads)
        logits = torch.einsum("nhw,nthw->nht", query, key) / self.spec.attention_width**0.5
        logits = logits.masked_fill(~mask[:, None, :], -1e4)
        attended = torch.einsum("nht,nthw->nhw", logits.softmax(-1), value).flatten(1)
        attended = attended * mask.any(-1, keepdim=True)
        if not self.spec.interaction:
            attended = attended * 0
        hidden = F.gelu(self.up(torch.cat([joined, attended, own[:, None]], dim=-1)))
        out = self.out(F.dropout(hidden, DROPOUT, self.training))
        b_redact = out[:, 0]
        return NeedOutput(b_redact=b_redact, b_abstract=b_redact - F.softplus(out[:, 1]), owner=out[:, 2:])

    def thresholds(self) -> Tensor:
        """Return theta of a competent model (0), of a frontier model, and of the exact-value level, ascending."""
        steps = F.softplus(self.steps)
        return torch.cat([steps.new_zeros(1), steps.cumsum(0)])


class Net(nn.Module):  # type: ignore[misc] # torch is absent where types are checked
    """Encoder and need head."""

    def __init__(self, spec: NetSpec) -> None:
        super().__init__()
        self.spec = spec
        self.encoder = Encoder(spec)
        self.need = NeedHead(spec)


_NAMES = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "out": "attention.output.dense",
    "attention_norm": "attention.output.LayerNorm",
    "up": "intermediate.dense",
    "down": "output.dense",
    "norm": "output.LayerNorm",
}


def load_base(encoder: Encoder, weights: Mapping[str, Tensor]) -> None:
    """Copy the weights of a BERT checkpoint of the same size; layers beyond those of the encoder are left out."""
    with torch.no_grad():
        encoder.words.weight.copy_(weights["embeddings.word_embeddings.weight"])
        kinds = weights["embeddings.token_type_embeddings.weight"][0]
        encoder.places.weight.copy_(weights["embeddings.position_embeddings.weight"] + kinds)
        for part in ("weight", "bias"):
            getattr(encoder.norm, part).copy_(weights[f"embeddings.LayerNorm.{part}"])
            for number, layer in enumerate(encoder.layers):
                for ours, theirs in _NAMES.items():
                    getattr(getattr(layer, ours), part).copy_(weights[f"encoder.layer.{number}.{theirs}.{part}"])
