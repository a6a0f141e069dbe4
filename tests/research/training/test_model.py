import pytest

pytest.importorskip("torch")

import torch

from privguard.encoder.labels import OWNERS, TAG_COUNT
from privguard.encoder.tokens import SHAPES
from privguard.research.training.model import (
    Encoder,
    NeedHead,
    NetSpec,
    RoundedLinear,
    embed_units,
    load_base,
    unit_norm,
)
from tests.research.training import tiny


def inputs(rows: int = 2, tokens: int = 9, pieces: int = 1) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(1)
    ids = torch.randint(1, 200, (rows, tokens, pieces), generator=generator)
    shapes = torch.randint(0, SHAPES, (rows, tokens), generator=generator)
    return ids, shapes, torch.ones(rows, tokens, dtype=torch.bool)


KINDS = pytest.mark.parametrize(("pieces", "lean"), [(1, False), (4, True)], ids=["plain", "lean"])


@KINDS
def test_each_token_gets_tag_logits_and_features(pieces: int, lean: bool) -> None:
    net = tiny.net(pieces=pieces, lean=lean)
    tags, features = net.encoder(*inputs(pieces=pieces))
    assert tags.shape == (2, 9, TAG_COUNT + 1)
    assert features.shape == (2, 9, net.spec.features)


@KINDS
def test_padding_changes_nothing(pieces: int, lean: bool) -> None:
    encoder = tiny.net(pieces=pieces, lean=lean).encoder
    ids, shapes, mask = inputs(pieces=pieces)
    mask[1, 5:] = False
    with torch.no_grad():
        together = encoder(ids, shapes, mask)
        alone = encoder(ids[1:, :5], shapes[1:, :5], mask[1:, :5])
    for padded, plain in zip(together, alone, strict=True):
        assert torch.allclose(padded[1, :5], plain[0], atol=1e-5)


def test_shapes_and_places_matter() -> None:
    encoder = tiny.net().encoder
    ids, shapes, mask = inputs()
    with torch.no_grad():
        before, _ = encoder(ids, shapes, mask)
        recased, _ = encoder(ids, (shapes + 1) % SHAPES, mask)
        turned, _ = encoder(ids.flip(1), shapes.flip(1), mask)
    assert not torch.allclose(before, recased, atol=1e-3)
    assert not torch.allclose(before, turned.flip(1), atol=1e-3)


def test_a_unit_is_the_gated_sum_of_the_pieces_that_it_has() -> None:
    words = torch.nn.Embedding(10, 3, padding_idx=0)
    gates = torch.randn(2, 3)
    ids = torch.tensor([[4, 5], [5, 4], [4, 0]])
    units = embed_units(words, gates, ids)
    table = words.weight
    assert torch.allclose(units[0], table[4] * gates[0] + table[5] * gates[1])
    assert torch.allclose(units[2], table[4] * gates[0])
    assert not torch.allclose(units[0], units[1])
    assert torch.equal(embed_units(words, None, ids[:, :1]), table[[4, 5, 4]])


@pytest.mark.parametrize("seed", range(5))
def test_an_abstraction_is_never_harder_than_a_placeholder_and_thresholds_ascend(seed: int) -> None:
    torch.manual_seed(seed)
    head = NeedHead(tiny.spec()).eval()
    with torch.no_grad():
        for weights in head.parameters():
            weights.normal_(std=2.0)
        output = head(
            torch.randn(20, 8),
            torch.randint(0, TAG_COUNT, (20,)),
            torch.randint(0, 2, (20,)).float(),
            torch.randn(20, 6, 8),
            torch.ones(20, 6, dtype=torch.bool),
        )
        first, second, third = head.thresholds().tolist()
    assert (output.b_abstract <= output.b_redact).all()
    assert output.owner.shape == (20, len(OWNERS))
    assert 0 == first < second < third


def test_the_entry_of_no_piece_stays_zero_under_training() -> None:
    encoder = Encoder(tiny.spec(pieces=4))
    optimizer = torch.optim.AdamW(encoder.parameters(), lr=0.1)
    ids, shapes, mask = inputs(pieces=4)
    ids[:, :, 2:] = 0
    for _ in range(2):
        optimizer.zero_grad()
        encoder(ids, shapes, mask)[0].square().sum().backward()
        optimizer.step()
    assert (encoder.words.weight[0] == 0).all()
    assert (encoder.words.weight[ids[0, 0, 0]] != 0).any()


def test_a_rounded_product_rounds_in_training_alone_and_lets_the_gradient_pass() -> None:
    torch.manual_seed(0)
    layer = RoundedLinear(16, 8)
    states = torch.randn(5, 16, requires_grad=True)
    plain = torch.nn.functional.linear(states, layer.weight, layer.bias)
    assert torch.equal(layer.eval()(states), plain)
    rounded = layer.train()(states)
    assert not torch.equal(rounded, plain)
    assert torch.allclose(rounded, plain, atol=0.1)
    (gradient,) = torch.autograd.grad(rounded.sum(), states)
    assert torch.allclose(gradient, layer.weight.sum(0).expand(5, 16), atol=0.05)


def test_the_norm_of_lean_layers_has_a_root_mean_square_of_one() -> None:
    states = unit_norm(5 * torch.randn(3, 7, 32))
    assert torch.allclose(states.square().mean(-1), torch.ones(3, 7), atol=1e-3)


def score(head: NeedHead, instruction: torch.Tensor, mask: torch.Tensor, *, own: float = 0.0) -> torch.Tensor:
    generator = torch.Generator().manual_seed(4)
    spans = torch.randn(1, 8, generator=generator).expand(len(instruction), 8)
    with torch.no_grad():
        tags, owns = torch.ones(len(instruction), dtype=torch.int64), torch.full((len(instruction),), own)
        output: torch.Tensor = head(spans, tags, owns, instruction, mask).b_redact
    return output


def test_a_span_reads_the_instruction_and_nothing_beside_it() -> None:
    head = tiny.net().need
    instruction = torch.randn(2, 6, 8)
    instruction[1, :3] = instruction[0, :3]
    mask = torch.tensor([[True] * 3 + [False] * 3] * 2)
    whole = torch.ones(2, 6, dtype=torch.bool)
    same, different = score(head, instruction, mask), score(head, instruction, whole)
    assert float(same[0]) == pytest.approx(float(same[1]), abs=1e-6)
    assert float(different[0]) != pytest.approx(float(different[1]), abs=1e-4)


def test_without_an_instruction_nothing_is_attended_to() -> None:
    head = tiny.net().need
    scores = score(head, torch.randn(2, 3, 8), torch.zeros(2, 3, dtype=torch.bool))
    assert float(scores[0]) == pytest.approx(float(scores[1]), abs=1e-6)


def test_the_ablation_does_not_read_the_instruction() -> None:
    head = tiny.net(interaction=False).need
    scores = score(head, torch.randn(2, 3, 8), torch.ones(2, 3, dtype=torch.bool))
    assert float(scores[0]) == pytest.approx(float(scores[1]), abs=1e-6)


def test_whether_a_span_stands_in_the_instruction_matters() -> None:
    head = tiny.net().need
    instruction, mask = torch.randn(1, 3, 8), torch.ones(1, 3, dtype=torch.bool)
    assert float(score(head, instruction, mask, own=1.0)) != pytest.approx(
        float(score(head, instruction, mask)), abs=1e-4
    )


def base_weights(layers: int) -> dict[str, torch.Tensor]:
    spec = tiny.spec()
    sizes = {
        "attention.self.query": (32, 32),
        "attention.self.key": (32, 32),
        "attention.self.value": (32, 32),
        "attention.output.dense": (32, 32),
        "intermediate.dense": (64, 32),
        "output.dense": (32, 64),
        "attention.output.LayerNorm": (32,),
        "output.LayerNorm": (32,),
    }
    weights = {
        "embeddings.word_embeddings.weight": torch.randn(spec.vocabulary, 32),
        "embeddings.position_embeddings.weight": torch.randn(spec.positions, 32),
        "embeddings.token_type_embeddings.weight": torch.randn(2, 32),
        "embeddings.LayerNorm.weight": torch.randn(32),
        "embeddings.LayerNorm.bias": torch.randn(32),
    }
    for number in range(layers):
        for name, size in sizes.items():
            weights[f"encoder.layer.{number}.{name}.weight"] = torch.randn(*size)
            weights[f"encoder.layer.{number}.{name}.bias"] = torch.randn(size[0])
    return weights


def test_base_weights_land_in_their_layers_and_further_layers_are_left_out() -> None:
    encoder = tiny.net(layers=2).encoder
    weights = base_weights(3)
    load_base(encoder, weights)
    assert torch.equal(encoder.words.weight, weights["embeddings.word_embeddings.weight"])
    places = weights["embeddings.position_embeddings.weight"] + weights["embeddings.token_type_embeddings.weight"][0]
    assert torch.equal(encoder.places.weight, places)
    assert torch.equal(encoder.layers[1].down.weight, weights["encoder.layer.1.output.dense.weight"])
    assert torch.equal(encoder.layers[0].key.bias, weights["encoder.layer.0.attention.self.key.bias"])
    assert torch.equal(encoder.norm.bias, weights["embeddings.LayerNorm.bias"])


def test_a_spec_survives_a_checkpoint() -> None:
    spec = tiny.spec(pieces=4, lean=True, interaction=False)
    assert NetSpec(**spec.to_dict()) == spec  # type: ignore[arg-type] # one dict for all fields
