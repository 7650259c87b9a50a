"""The judge as a network in torch: the shipped encoder reading question and place together, with two heads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor, nn
from torch.nn import functional

LAYERS, HIDDEN, HEADS, WIDE, EPSILON = 6, 384, 12, 1536, 1e-12
ENCODER = Path(__file__).parents[2] / "pincite" / "data" / "minilm" / "model.onnx"


class Layer(nn.Module):
    """A layer of BERT: attention and feed-forward, each added to its input and normalised."""

    def __init__(self) -> None:
        super().__init__()
        self.heads = nn.Linear(HIDDEN, 3 * HIDDEN)
        self.mixed = nn.Linear(HIDDEN, HIDDEN)
        self.first = nn.LayerNorm(HIDDEN, eps=EPSILON)
        self.wide = nn.Linear(HIDDEN, WIDE)
        self.narrow = nn.Linear(WIDE, HIDDEN)
        self.second = nn.LayerNorm(HIDDEN, eps=EPSILON)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """(batch, tokens, HIDDEN) to the same; `mask` is (batch, 1, 1, tokens), 0 at a token and very low beside."""
        batch, tokens, _ = x.shape
        parts = self.heads(x).view(batch, tokens, 3, HEADS, HIDDEN // HEADS).permute(2, 0, 3, 1, 4)
        query, key, value = parts
        # written out: torch's own attention takes half of a step on a CPU, nearly all of it on the way back
        alike = (query * (HIDDEN // HEADS) ** -0.5) @ key.transpose(2, 3) + mask
        attended = alike.softmax(-1) @ value
        joined = self.mixed(attended.transpose(1, 2).reshape(batch, tokens, HIDDEN))
        x = self.first(x + joined)
        made = self.narrow(functional.gelu(self.wide(x)))
        return self.second(x + made)


class Judge(nn.Module):
    """Token ids and types of pairs to logits: the first says whether the place answers, the others what kind of answer it is.

    Both heads read the first token and the mean of all tokens of the last layer.
    """

    def __init__(self, kinds: int, positions: int = 256, words: int = 30522) -> None:
        super().__init__()
        self.words = nn.Embedding(words, HIDDEN)
        self.positions = nn.Embedding(positions, HIDDEN)
        self.types = nn.Embedding(2, HIDDEN)
        self.norm = nn.LayerNorm(HIDDEN, eps=EPSILON)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.answers = nn.Linear(2 * HIDDEN, 1)
        self.kinds = nn.Linear(2 * HIDDEN, kinds)
        self.frozen = 0
        self.dropout = 0.1
        """Of the features that the heads read; inside the encoder nothing is left out: drawing what costs a third of a step."""

    def freeze(self, layers: int) -> None:
        """Leave the embeddings of words and positions, and the first `layers` layers, as they are."""
        self.frozen = layers
        self.words.requires_grad_(False)
        self.positions.requires_grad_(False)
        for layer in self.layers[:layers]:
            layer.requires_grad_(False)
        if layers:
            self.norm.requires_grad_(False)
            self.types.requires_grad_(False)

    def forward(self, ids: Tensor, types: Tensor, mask: Tensor) -> Tensor:
        """(batch, tokens) thrice to (batch, 1 + kinds); `mask` is true where there is a token."""
        wide = torch.where(mask, 0.0, -1e9)[:, None, None, :]
        with torch.set_grad_enabled(torch.is_grad_enabled() and not self.frozen):
            x = self.norm(
                self.words(ids) + self.positions.weight[: ids.shape[1]] + self.types(types)
            )
            for layer in self.layers[: self.frozen]:
                x = layer(x, wide)
        for layer in self.layers[self.frozen :]:
            x = layer(x, wide)
        weights = mask[:, :, None].to(x.dtype)
        mean = (x * weights).sum(1) / weights.sum(1)
        features = functional.dropout(torch.cat([x[:, 0], mean], 1), self.dropout, self.training)
        return torch.cat([self.answers(features), self.kinds(features)], 1)


def from_encoder(kinds: int, path: Path = ENCODER) -> Judge:
    """A judge with the shipped encoder's weights; its heads are new, and nothing distinguishes a place from a question yet."""
    values = _Values(path)
    judge = Judge(kinds)
    with torch.no_grad():
        judge.words.weight.copy_(values.words())
        judge.positions.weight.copy_(values.positions())
        judge.types.weight.zero_()
        _copy_norm(judge.norm, values.norms)
        for layer in judge.layers:
            for linear in (layer.heads, layer.mixed, layer.wide, layer.narrow):
                weight, bias = next(values.linears)
                linear.weight.copy_(weight)
                linear.bias.copy_(bias)
            _copy_norm(layer.first, values.norms)
            _copy_norm(layer.second, values.norms)
    return judge


def _copy_norm(norm: nn.LayerNorm, values: Iterator[tuple[Tensor, Tensor]]) -> None:
    weight, bias = next(values)
    norm.weight.copy_(weight)
    norm.bias.copy_(bias)


class _Values:
    """The weights of the encoder's graph as floats, in the order in which scripts/build_encoder.py wrote them."""

    def __init__(self, path: Path) -> None:
        graph = onnx.load(str(path)).graph
        self.nodes = list(graph.node)
        self.arrays = {weight.name: numpy_helper.to_array(weight) for weight in graph.initializer}
        self.linears = self._linears()
        self.norms = self._norms()

    def words(self) -> Tensor:
        """The embeddings of words, each row times its scale."""
        table, scales = (
            self._array(node.input[0]) for node in self.nodes if node.op_type == "Gather"
        )
        return torch.from_numpy(table.astype(np.float32) * scales)

    def positions(self) -> Tensor:
        """The embeddings of positions, that of the only segment added."""
        return torch.from_numpy(
            next(
                self._array(node.input[0]) for node in self.nodes if node.op_type == "Slice"
            ).copy()
        )

    def _linears(self) -> Iterator[tuple[Tensor, Tensor]]:
        """Every linear layer's weight, (out, in), and bias; the bias stands in the node, or in the sum after it."""
        for i, node in enumerate(self.nodes):
            if node.op_type != "DynamicQuantizeMatMul":
                continue
            weight = self._array(node.input[1]).astype(np.float32) * self._array(node.input[2])
            bias = node.input[4] if len(node.input) > 4 else self.nodes[i + 2].input[1]
            yield torch.from_numpy(weight.T.copy()), torch.from_numpy(self._array(bias).copy())

    def _norms(self) -> Iterator[tuple[Tensor, Tensor]]:
        for node in self.nodes:
            if node.op_type.endswith("LayerNormalization"):
                weight, bias = (self._array(name) for name in node.input[-2:])
                yield torch.from_numpy(weight.copy()), torch.from_numpy(bias.copy())

    def _array(self, name: str) -> NDArray[Any]:
        return self.arrays[name]
