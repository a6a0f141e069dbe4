"""Write the model that the tests run: a graph of look-up tables over a vocabulary of letters and a few words.

Needs onnx and torch, which the tests do not: `python tests/encoder/make_model.py`. The need head gets random weights;
what the network of the training code says with them is kept beside the model, as the reference of its numpy twin.
"""

import hashlib
import io
import json
import string
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

from privguard.encoder.labels import OWNERS, TAG_COUNT, TAG_OF, TAGS
from privguard.encoder.tokens import CLASSES, DIGITS, GAPS, INITIAL, SHAPES
from privguard.research.training.model import NeedHead, NetSpec

FOLDER = Path(__file__).parent / "model"
REFERENCE = Path(__file__).parent / "need_reference.json"
FEATURES = 8
PEOPLE = ("ada", "ben", "kole", "roth")
PLACES = ("bern", "graz")
WORDS = ("translate", "the", "email", "is", "my", "name", "in", "and", "to", "of", "who", "what", "please", "##s")
SPEC = NetSpec(features=FEATURES, attention_heads=2, attention_width=3, need_inner=6)


def vocabulary() -> list[str]:
    signs = string.ascii_lowercase + string.digits
    pieces = [f"##{sign}" for sign in signs]
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *(f"[unused{number}]" for number in range(10))]
    return [*special, *signs, *pieces, *string.punctuation, *PEOPLE, *PLACES, *WORDS]


def tokenizer(words: list[str]) -> bytes:
    made = Tokenizer(WordPiece({word: number for number, word in enumerate(words)}, unk_token="[UNK]"))
    made.normalizer = BertNormalizer(lowercase=True)
    made.pre_tokenizer = BertPreTokenizer()
    return made.to_str().encode()


def graph(words: list[str], *, quantized: bool) -> bytes:
    rng = np.random.default_rng(7)
    by_id = np.full((len(words), TAG_COUNT + 1), -6, dtype=np.float32)
    by_id[:, 0], by_id[:, -1] = 2, -3
    for names, kind in ((PEOPLE, "PERSON"), (PLACES, "LOCATION")):
        for name in names:
            by_id[words.index(name), TAG_OF[next(tag for tag in TAGS if tag.value == kind)]] = 7
    by_id[words.index("ben"), -1] = 3
    by_shape = np.zeros((SHAPES, TAG_COUNT + 1), dtype=np.float32)
    for gap in range(GAPS):
        by_shape[gap * CLASSES + DIGITS : (gap + 1) * CLASSES, TAG_OF[TAGS[3]]] = 12
        by_shape[gap * CLASSES + INITIAL, TAG_OF[TAGS[0]]] = 7
    tables = {
        "by_id": by_id,
        "by_shape": by_shape,
        "by_feature": rng.normal(size=(len(words), FEATURES)).astype(np.float32),
        "by_place": (0.1 * rng.normal(size=(len(words), 1))).astype(np.float32),
        "axis": np.array([1], dtype=np.int64),
        "last": np.array([2], dtype=np.int64),
    }
    node = helper.make_node
    nodes = [
        node("Squeeze", ["ids", "last"], ["flat"]),
        node("Gather", ["by_id", "flat"], ["from_ids"]),
        node("Gather", ["by_shape", "shapes"], ["from_shapes"]),
        node("Add", ["from_ids", "from_shapes"], ["alone"]),
        # What a token says depends a little on the mean of all tokens: windows and padding matter, as in a real one.
        node("Cast", ["mask"], ["weights"], to=TensorProto.FLOAT),
        node("Unsqueeze", ["weights", "last"], ["column"]),
        node("Gather", ["by_place", "flat"], ["places"]),
        node("Mul", ["places", "column"], ["weighed"]),
        node("ReduceSum", ["weighed", "axis"], ["sum"], keepdims=1),
        node("ReduceSum", ["column", "axis"], ["count"], keepdims=1),
        node("Div", ["sum", "count"], ["mean"]),
        node("Add", ["alone", "mean"], ["tags"]),
        node("Gather", ["by_feature", "flat"], ["own"]),
        node("Add", ["own", "mean"], ["mixed" if quantized else "features"]),
    ]
    if quantized:  # the scale is that of the whole call, as in the shipped graphs
        nodes += [
            node("DynamicQuantizeLinear", ["mixed"], ["q", "scale", "zero"]),
            node("DequantizeLinear", ["q", "scale", "zero"], ["features"]),
        ]
    inputs = [
        helper.make_tensor_value_info("ids", TensorProto.INT64, ["B", "T", 1]),
        helper.make_tensor_value_info("shapes", TensorProto.INT64, ["B", "T"]),
        helper.make_tensor_value_info("mask", TensorProto.INT64, ["B", "T"]),
    ]
    outputs = [
        helper.make_tensor_value_info("tags", TensorProto.FLOAT, ["B", "T", TAG_COUNT + 1]),
        helper.make_tensor_value_info("features", TensorProto.FLOAT, ["B", "T", FEATURES]),
    ]
    constants = [numpy_helper.from_array(table, name) for name, table in tables.items()]
    made = helper.make_model(
        helper.make_graph(nodes, "tables", inputs, outputs, constants),
        opset_imports=[helper.make_opsetid("", 17)],
        ir_version=8,
    )
    onnx.checker.check_model(made)
    return bytes(made.SerializeToString())


def need_head() -> tuple[bytes, NeedHead]:
    torch.manual_seed(7)
    head = NeedHead(SPEC).eval()
    stored = io.BytesIO()
    np.savez(stored, **{name: value.numpy() for name, value in head.state_dict().items()})
    return stored.getvalue(), head


def reference(head: NeedHead) -> dict[str, object]:
    generator = torch.Generator().manual_seed(8)
    spans, instruction = torch.randn(5, FEATURES, generator=generator), torch.randn(7, FEATURES, generator=generator)
    tags, own = torch.tensor([1, 2, 7, 26, 12]), torch.tensor([0.0, 1.0, 1.0, 0.0, 1.0])
    with torch.no_grad():
        said = head(spans, tags, own, instruction.expand(5, 7, FEATURES), torch.ones(5, 7, dtype=torch.bool))
    return {
        "spans": spans.tolist(),
        "tags": tags.tolist(),
        "own": own.tolist(),
        "instruction": instruction.tolist(),
        "b_redact": said.b_redact.tolist(),
        "b_abstract": said.b_abstract.tolist(),
        "owners": said.owner.softmax(-1).tolist(),
    }


def main() -> None:
    words = vocabulary()
    head_bytes, head = need_head()
    files = {
        "tokenizer.json": tokenizer(words),
        "int8.onnx": graph(words, quantized=True),
        "need.npz": head_bytes,
    }
    manifest = {
        "format": 1,
        "name": "tables",
        "version": "1",
        "types": [kind.value for kind in TAGS],
        "owners": list(OWNERS),
        "window": {"length": 24, "overlap": 8},
        "features": FEATURES,
        "pieces": 1,
        "files": {name: hashlib.sha256(content).hexdigest() for name, content in files.items()},
        "detection": {"temperature": 1.0, "threshold": 0.35, "by_type": {"LOCATION": 0.5}},
        "need": {
            "attention_heads": SPEC.attention_heads,
            "attention_width": SPEC.attention_width,
            "thresholds": [0, 1, 2],
            "scale": 1.0,
            "shift": 0.0,
            "slope": 1.0,
        },
        "training": {"made_by": "tests/encoder/make_model.py"},
    }
    FOLDER.mkdir(exist_ok=True)
    for name, content in files.items():
        (FOLDER / name).write_bytes(content)
    (FOLDER / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    REFERENCE.write_text(json.dumps(reference(head)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
