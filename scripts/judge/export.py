"""Write a trained judge as one small ONNX file, and check it against torch.

    python scripts/judge/export.py RUN [--out RUN/judge.onnx] [--pairs .judge/pairs.jsonl] [--checked 200] [--precision int8]

The graph is written in the operators that the shipped encoder's graph has: int8 weights with a scale per output channel.
It takes one pair, or several of one length: `ids` and `types`, both (batch, tokens), and gives `logits`, (batch, 1 + kinds).
Fails when the file is larger than 25 MB or differs from torch by more than TOLERANCE on held-out pairs.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from example import KINDS, read
from folds import parted, sample
from network import EPSILON, HEADS, Judge, Layer
from numpy.typing import NDArray
from onnx import TensorProto, helper
from torch import Tensor, nn
from train import Encoded, encode, scores

sys.path.insert(0, str(Path(__file__).parents[1]))
from build_encoder import Graph, Precision  # noqa: E402

LIMIT = {"fp32": 100e6, "int8": 25e6}
"""Bytes that the file may have."""
TOLERANCE = {"fp32": 0.001, "int8": 0.03}
"""How far the chance that a place answers may lie from that of torch, on average over the pairs that are checked."""

TOP = 63
"""The largest weight in int8: onnxruntime then takes its fast products on every CPU, twice as fast where it must not saturate."""
CALIBRATED = 256
"""So many pairs that were learned from show how far the inputs of the layers reach."""

Smoothing = dict[nn.Linear, NDArray[np.float32]]


def array(value: Tensor) -> NDArray[np.float32]:
    """A weight of torch for the graph."""
    return value.detach().numpy().astype(np.float32)


def smoothing(judge: Judge, given: Sequence[Encoded]) -> Smoothing:
    """For every linear layer, the factor of each of its inputs: the root of its largest magnitude over its weights'.

    A few inputs of a token reach thirty times beyond the others, and eight bits for all of them would leave those little.
    So inputs are divided by these factors and weights multiplied (SmoothQuant, Xiao et al. 2022, arXiv:2211.10438).
    """
    largest: dict[nn.Linear, Tensor] = {}

    def seen(module: nn.Module, inputs: tuple[Tensor], _: Tensor) -> None:
        assert isinstance(module, nn.Linear)
        most = inputs[0].abs().amax((0, 1))
        largest[module] = torch.maximum(largest.get(module, most), most)

    linears = [
        module
        for layer in judge.layers
        for module in layer.modules()
        if isinstance(module, nn.Linear)
    ]
    hooks = [module.register_forward_hook(seen) for module in linears]
    # one at a time: a pair is never padded where the judge is run
    scores(judge, given, size=1)
    for hook in hooks:
        hook.remove()
    factors = {}
    for module, most in largest.items():
        weights = module.weight.detach().abs().amax(0).clamp(min=1e-5)
        factors[module] = array((most.clamp(min=1e-5) / weights).sqrt())
    return factors


def linear(g: Graph, x: str, module: nn.Linear, factors: Smoothing) -> str:
    """A linear layer of torch in the graph, in int8 with its inputs smoothed and scaled token by token."""
    weight, bias = array(module.weight).T, array(module.bias)
    if module not in factors:
        return g.linear(x, weight, bias)
    factor = factors[module]
    return g.linear(
        g.add("Mul", x, g.constant(1 / factor)), weight * factor[:, None], bias, by_token=True
    )


def merged(g: Graph, x: str, skip: str, norm: nn.LayerNorm) -> str:
    """The sum of `x` and `skip`, normalised."""
    weights = g.constant(array(norm.weight)), g.constant(array(norm.bias))
    return g.add(
        "SkipLayerNormalization", x, skip, *weights, domain="com.microsoft", epsilon=EPSILON
    )


def block(g: Graph, x: str, layer: Layer, factors: Smoothing) -> str:
    """A layer of the judge."""
    parts = g.add("Split", linear(g, x, layer.heads, factors), outputs=3, axis=2, num_outputs=3)
    mixed = g.add(
        "MultiHeadAttention",
        *(f"{parts}:{j}" for j in range(3)),
        domain="com.microsoft",
        num_heads=HEADS,
    )
    x = merged(g, linear(g, mixed, layer.mixed, factors), x, layer.first)
    wide = g.add("Gelu", linear(g, x, layer.wide, factors), domain="com.microsoft")
    return merged(g, linear(g, wide, layer.narrow, factors), x, layer.second)


def build(judge: Judge, precision: Precision, factors: Smoothing) -> onnx.ModelProto:
    """The judge as a graph; its heads stay in floats."""
    g = Graph(precision, TOP)
    words = g.lookup(array(judge.words.weight), "ids")
    zero, one = g.constant(np.array([0])), g.constant(np.array([1]))
    tokens = g.add("Shape", "ids", start=1, end=2)
    positions = g.add("Slice", g.stored(array(judge.positions.weight)), zero, tokens, zero)
    kinds = g.add("Gather", g.constant(array(judge.types.weight)), "types")
    summed = g.add("Add", g.add("Add", words, positions), kinds)
    norm = g.constant(array(judge.norm.weight)), g.constant(array(judge.norm.bias))
    x = g.add("LayerNormalization", summed, *norm, epsilon=EPSILON)
    for layer in judge.layers:
        x = block(g, x, layer, factors)
    first = g.add("Squeeze", g.add("Gather", x, zero, axis=1), one)
    mean = g.add("ReduceMean", x, one, keepdims=0)
    features = g.add("Concat", first, mean, axis=1)
    weight = np.concatenate([array(judge.answers.weight), array(judge.kinds.weight)])
    bias = np.concatenate([array(judge.answers.bias), array(judge.kinds.bias)])
    logits = g.add("Gemm", features, g.constant(weight.T), g.constant(bias))
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
        for name in ("ids", "types")
    ]
    output = helper.make_tensor_value_info(
        logits, TensorProto.FLOAT, ["batch", 1 + judge.kinds.out_features]
    )
    graph = helper.make_graph(g.nodes, "judge of evidence", inputs, [output], g.weights)
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=9, producer_name="pincite")


def answers(content: bytes, given: Sequence[Encoded]) -> NDArray[np.float32]:
    """The outputs of the written file for every pair, one at a time on one thread, as in use."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    options.add_session_config_entry("session.x64quantprecision", "1")
    session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    rows = []
    for pair in given:
        inputs = {"ids": np.array([pair.ids], np.int64), "types": np.array([pair.types], np.int64)}
        rows.append(session.run(None, inputs)[0][0])
    return np.array(rows, np.float32)


def chance(logits: NDArray[np.float32]) -> NDArray[np.float64]:
    """The first logit as a probability."""
    return 1 / (1 + np.exp(-logits[:, 0].astype(np.float64)))


def main() -> None:
    """Write the file, check it and print what it is."""
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("run", type=Path)
    arguments.add_argument("--out", type=Path)
    arguments.add_argument("--pairs", type=Path, default=Path(".judge/pairs.jsonl"))
    arguments.add_argument("--checked", type=int, default=200)
    arguments.add_argument("--precision", choices=("fp32", "int8"), default="int8")
    given = arguments.parse_args()
    torch.set_num_threads(1)
    state = torch.load(given.run / "checkpoint.pt", weights_only=True)
    judge = Judge(len(KINDS))
    judge.load_state_dict(state["judge"])
    judge.eval()
    options = state["options"]
    pairs = list(read(given.pairs))
    learned, rest = parted(pairs, options["fold"])
    held = sample(rest or pairs, given.checked, options["seed"])
    encoded = encode(held, options["length"])
    known = encode(sample(learned, CALIBRATED, options["seed"]), options["length"])
    factors = smoothing(judge, known) if given.precision == "int8" else {}
    content = build(judge, given.precision, factors).SerializeToString()
    theirs, ours = scores(judge, encoded), answers(content, encoded)
    apart = np.abs(chance(theirs) - chance(ours))
    same = ((theirs[:, 0] > 0) == (ours[:, 0] > 0)).mean()
    print(f"{len(content) / 1e6:.1f} MB, sha256 {hashlib.sha256(content).hexdigest()}")
    print(
        f"chance apart from torch on {len(held)} pairs: mean {apart.mean():.4f}, most {apart.max():.4f}; same side {same:.3f}"
    )
    if len(content) > LIMIT[given.precision] or apart.mean() > TOLERANCE[given.precision]:
        raise SystemExit("not written: the file is too large or too far from torch")
    out = given.out or given.run / "judge.onnx"
    out.write_bytes(content)
    print(f"written to {out}")


if __name__ == "__main__":
    main()
