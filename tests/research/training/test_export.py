import pytest

pytest.importorskip("torch")
pytest.importorskip("onnx")

import hashlib
import json
from pathlib import Path

import numpy as np
import onnxruntime as ort
import torch

from privguard.core.errors import ArtifactError
from privguard.encoder.artifact import load_artifact
from privguard.encoder.labels import TAG_COUNT
from privguard.encoder.loading import load_encoder
from privguard.encoder.tokens import SHAPES
from privguard.research.training.export import (
    ArtifactSpec,
    ByteTable,
    PlainEncoder,
    export_graph,
    write_artifact,
)
from privguard.research.training.model import Net
from tests.research.training import tiny

# The exporter that writes plain operators is an old one, and says so.
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
    pytest.mark.filterwarnings("ignore::torch.jit.TracerWarning"),
]
KINDS = pytest.mark.parametrize(("pieces", "lean"), [(1, False), (4, True)], ids=["plain", "lean"])
SPEC = ArtifactSpec(name="tables", version="1", length=40, overlap=8, scale=1.5, shift=-0.25)


def on_grid(net: Net) -> Net:
    """Put the words where the table of bytes can hold them, so that what is left is the arithmetic."""
    words = net.encoder.words
    with torch.no_grad():
        words.weight.copy_(ByteTable(words)(torch.arange(words.num_embeddings)))
    return net


def inputs(net: Net, rows: int, tokens: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(tokens)
    ids = torch.randint(1, 200, (rows, tokens, net.spec.pieces), generator=generator)
    ids[:, ::3, 1:] = 0
    return (
        ids,
        torch.randint(0, SHAPES, (rows, tokens), generator=generator),
        torch.ones(rows, tokens, dtype=torch.bool),
    )


def test_a_table_of_bytes_is_off_by_half_a_step_at_most_and_keeps_zero() -> None:
    words = torch.nn.Embedding(50, 16, padding_idx=0)
    rows = ByteTable(words)(torch.arange(50))
    step = words.weight.abs().amax(1, keepdim=True) / 127
    assert ((rows - words.weight).abs() <= 0.51 * step).all()
    assert (rows[0] == 0).all()


@KINDS
def test_the_plain_encoder_agrees_with_the_one_that_was_trained(pieces: int, lean: bool) -> None:
    net = on_grid(tiny.net(pieces=pieces, lean=lean))
    plain = PlainEncoder(net).eval()
    ids, shapes, mask = inputs(net, 3, 11)
    mask[1, 6:] = False
    with torch.no_grad():
        for ours, theirs in zip(plain(ids, shapes, mask.long()), net.encoder(ids, shapes, mask), strict=True):
            assert torch.allclose(ours[mask], theirs[mask], atol=1e-4)
        alone = plain(ids[:1], shapes[:1])
        for ours, theirs in zip(alone, net.encoder(ids[:1], shapes[:1], mask[:1]), strict=True):
            assert torch.allclose(ours, theirs, atol=1e-4)


@KINDS
@pytest.mark.parametrize("masked", [True, False], ids=["masked", "single"])
def test_the_graph_agrees_at_any_length(tmp_path: Path, pieces: int, lean: bool, masked: bool) -> None:
    net = on_grid(tiny.net(pieces=pieces, lean=lean))
    export_graph(net, tmp_path / "net.onnx", masked=masked)
    session = ort.InferenceSession(tmp_path / "net.onnx", providers=["CPUExecutionProvider"])
    for rows, tokens in [(3, 5), (2, 40)] if masked else [(1, 2), (1, 40)]:
        ids, shapes, mask = inputs(net, rows, tokens)
        if masked:
            mask[0, tokens // 2 :] = False
        given = {"ids": ids.numpy(), "shapes": shapes.numpy(), "mask": mask.long().numpy()}
        said = session.run(["tags", "features"], {node.name: given[node.name] for node in session.get_inputs()})
        with torch.no_grad():
            expected = net.encoder(ids, shapes, mask)
        for ours, theirs in zip(said, expected, strict=True):
            # The masked graph has its weights in bytes.
            most = 0.05 if masked else 1e-4
            assert np.abs(ours[mask.numpy()] - theirs.numpy()[mask.numpy()]).max() <= most


@KINDS
def test_an_artifact_opens_and_says_about_what_the_network_says(tmp_path: Path, pieces: int, lean: bool) -> None:
    net = on_grid(tiny.net(pieces=pieces, lean=lean))
    write_artifact(net, tiny.TOKENIZER, tmp_path / "made", SPEC)
    encoder = load_encoder(tmp_path / "made", device="cpu")
    text = "Translate the email: my name is Ada in Graz"
    (encoded,) = encoder.encode([text])
    tokenize = tiny.tokenizer(pieces)
    tokens = tokenize(text)
    opening, closing, _ = tiny.special(tokenize)
    ids = np.zeros((1, len(tokens) + 2, pieces), dtype=np.int64)
    ids[0, 1:-1], ids[0, 0, 0], ids[0, -1, 0] = tokens.ids, opening, closing
    shapes = np.pad(tokens.shapes, 1)[None]
    with torch.no_grad():
        mask = torch.ones(shapes.shape, dtype=torch.bool)
        tags, features = net.encoder(torch.from_numpy(ids), torch.from_numpy(shapes), mask)
    expected = tags[0, 1:-1, :-1].softmax(-1).numpy()
    assert encoded.probabilities.shape == (len(tokens), TAG_COUNT)
    assert np.abs(encoded.probabilities - expected).max() < 0.05
    assert np.abs(encoded.features - features[0, 1:-1].numpy()).max() < 0.25


@pytest.mark.parametrize("interaction", [True, False])
@pytest.mark.parametrize("instructed", [True, False])
def test_the_need_head_in_numpy_agrees(tmp_path: Path, interaction: bool, instructed: bool) -> None:
    net = tiny.net(interaction=interaction)
    write_artifact(net, tiny.TOKENIZER, tmp_path / "made", SPEC)
    head = load_encoder(tmp_path / "made", device="cpu").need_head
    torch.manual_seed(5)
    spans, instruction = torch.randn(6, 8), torch.randn(7, 8)
    tags, own = torch.tensor([1, 2, 3, 9, 26, 1]), torch.tensor([1.0, 0.0] * 3)
    with torch.no_grad():
        mask = torch.full((6, 7), instructed)
        said = net.need(spans, tags, own, instruction.expand(6, 7, 8), mask)
    prepared = head.prepare(instruction.numpy()) if instructed else None
    scores = head.score(spans.numpy(), tags.numpy(), own.numpy() > 0, prepared)
    expected = torch.stack([said.b_redact, said.b_redact - (said.b_redact - said.b_abstract)], dim=1) * SPEC.scale
    assert np.abs(scores.difficulties - (expected + SPEC.shift).numpy()).max() < 1e-3
    assert np.abs(scores.owners - said.owner.softmax(-1).numpy()).max() < 1e-3


def test_the_manifest_names_each_file_with_its_hash_and_comes_last(tmp_path: Path) -> None:
    net, folder = tiny.net(), tmp_path / "made"
    write_artifact(net, tiny.TOKENIZER, folder, SPEC)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    for name, digest in manifest["files"].items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest
    assert {path.name for path in folder.iterdir()} == {"manifest.json", *manifest["files"]}
    loaded = load_artifact(folder).manifest
    assert (loaded.length, loaded.overlap, loaded.need.scale, loaded.need.shift) == (40, 8, 1.5, -0.25)
    assert loaded.need.thresholds == pytest.approx(net.need.thresholds().tolist(), abs=1e-5)
    # A second writing that stops halfway leaves nothing that loads.
    with pytest.raises(FileNotFoundError):
        write_artifact(net, tmp_path / "absent.json", folder, SPEC)
    with pytest.raises(ArtifactError):
        load_artifact(folder)
