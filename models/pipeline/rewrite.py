"""
Rewrites an fp32 graph into the int8 graph; the stage `quantise` says what and why.

Nodes are made of onnxruntime's own operators directly, so that no later fusion decides what runs.
"""

# mypy: disable-error-code="import-not-found, no-untyped-call"

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from models.pipeline.embedding import BLOCK, Packed, pack

if TYPE_CHECKING:
    import onnx
    from numpy.typing import NDArray

#: Channels larger than this quantile of a product's channels are divided down to it.
QUANTILE = 0.95
#: A product whose largest channel is less than so many times that quantile stays as it is: dividing
#: costs a pass over the activation and would gain nothing.
LEAST = 2.0
_CONTRIB = "com.microsoft"


@dataclass(frozen=True, slots=True)
class Range:
    """Smallest and largest value of each channel of an activation, (K,) float32."""

    low: NDArray[np.float32]
    high: NDArray[np.float32]

    def with_(self, other: Range) -> Range:
        """The range that holds both."""
        return Range(np.minimum(self.low, other.low), np.maximum(self.high, other.high))


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How to quantise."""

    per_channel: bool = True
    #: Ranges of each batch instead of fixed ones.
    dynamic: bool = False
    #: Weights of 7 bits.
    reduce_range: bool = False


def products(graph: onnx.GraphProto) -> list[onnx.NodeProto]:
    """The products of an activation with a constant matrix."""
    constants = {item.name for item in graph.initializer}
    return [n for n in graph.node if n.op_type == "MatMul" and n.input[1] in constants]


def rewrite(model: onnx.ModelProto, ranges: dict[str, Range | None], options: Options) -> Packed:
    """
    Replace each product, with the bias added to it, and the look-up of words, in place.

    Args:
        model: the fp32 graph.
        ranges: what was seen of each activation; None takes the range of each batch.
        options: how to quantise.

    Returns:
        The packed word table.
    """
    graph = model.graph
    constants = {item.name: numpy_helper.to_array(item) for item in graph.initializer}
    biases = _biases(graph, constants)
    outputs = {node.output[0] for node in products(graph)}
    swallowed = {add.output[0] for add, _ in biases.values()}
    writer = _Writer(constants, ranges, options)
    nodes: list[onnx.NodeProto] = []
    table: Packed | None = None
    for node in graph.node:
        if node.output[0] in outputs:
            add, bias = biases[node.output[0]]
            nodes += writer.product(node, bias, add.output[0])
        elif node.op_type == "Gather" and node.input[0].endswith("word.weight"):
            table = pack(constants[node.input[0]])
            nodes += writer.look_up(node, table)
        elif node.output[0] not in swallowed:
            nodes.append(node)
    if table is None:
        raise ValueError("the graph has no word table")
    kept = [item for item in graph.initializer if item.name not in writer.dropped]
    del graph.node[:]
    graph.node.extend(nodes)
    del graph.initializer[:]
    graph.initializer.extend(kept + writer.added)
    del graph.value_info[:]
    model.opset_import.append(helper.make_opsetid(_CONTRIB, 1))
    return table


def _biases(
    graph: onnx.GraphProto, constants: dict[str, NDArray[Any]]
) -> dict[str, tuple[onnx.NodeProto, str]]:
    """For each product's output, the addition that follows it and the constant that it adds."""
    outputs = {node.output[0] for node in products(graph)}
    found = {}
    for node in graph.node:
        if node.op_type == "Add" and (mine := outputs.intersection(node.input)):
            (bias,) = set(node.input) - mine
            if bias in constants:
                found[mine.pop()] = (node, bias)
    if missing := outputs - set(found):
        raise ValueError(f"{len(missing)} products have no bias")
    return found


def _factors(seen: Range) -> NDArray[np.float32]:
    """What each channel is divided by, (K,): 1 but for those that stand out."""
    size = np.maximum(np.abs(seen.low), np.abs(seen.high))
    usual = np.quantile(size, QUANTILE)
    if size.max() < LEAST * usual:
        return np.ones_like(size)
    factors: NDArray[np.float32] = np.maximum(1, size / usual).astype(np.float32)
    return factors


class _Writer:
    """Makes the nodes and constants of the quantised graph."""

    def __init__(
        self,
        constants: dict[str, NDArray[Any]],
        ranges: dict[str, Range | None],
        options: Options,
    ) -> None:
        self._constants = constants
        self._ranges = ranges
        self._options = options
        self._factors: dict[str, NDArray[np.float32]] = {}
        self.added: list[onnx.TensorProto] = []
        self.dropped: set[str] = set()

    def _add(self, name: str, value: NDArray[Any] | np.generic) -> str:
        self.added.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def product(self, node: onnx.NodeProto, bias: str, output: str) -> list[onnx.NodeProto]:
        """The nodes of one product; an activation that several share is quantised once."""
        source, matrix = node.input
        nodes = [] if source in self._factors else self._activation(source, matrix)
        weights = self._constants[matrix] * self._factors[source][:, None]
        largest = np.abs(weights).max(axis=0 if self._options.per_channel else None)
        half = 63 if self._options.reduce_range else 127
        scale = (np.maximum(largest, 1e-12) / half).astype(np.float32)
        codes = np.clip(np.rint(weights / scale), -half, half).astype(np.int8)
        self.dropped.add(matrix)
        inputs = [
            f"{source}.codes",
            self._add(f"{matrix}.codes", codes),
            f"{source}.scale",
            self._add(f"{matrix}.scale", scale),
            f"{source}.zero",
            self._add(f"{matrix}.zero", np.int8(0)),
            bias,
        ]
        made = helper.make_node("MatMulIntegerToFloat", inputs, [output], domain=_CONTRIB)
        return [*nodes, made]

    def _activation(self, source: str, matrix: str) -> list[onnx.NodeProto]:
        codes, scale, zero = (f"{source}.{part}" for part in ("codes", "scale", "zero"))
        seen = self._ranges[source]
        if seen is None:
            self._factors[source] = np.ones(len(self._constants[matrix]), np.float32)
            return [helper.make_node("DynamicQuantizeLinear", [source], [codes, scale, zero])]
        factors = _factors(seen)
        self._factors[source] = factors
        low = min(float((seen.low / factors).min()), 0.0)
        high = max(float((seen.high / factors).max()), 0.0)
        step = np.float32((high - low) / 255)
        self._add(scale, step)
        self._add(zero, np.uint8(round(-low / step)))
        if factors.max() == 1:
            return [helper.make_node("QuantizeLinear", [source, scale, zero], [codes])]
        inverse, even = self._add(f"{source}.factors", 1 / factors), f"{source}.even"
        return [
            helper.make_node("Mul", [source, inverse], [even]),
            helper.make_node("QuantizeLinear", [even, scale, zero], [codes]),
        ]

    def look_up(self, node: onnx.NodeProto, table: Packed) -> list[onnx.NodeProto]:
        """Look up packed words; the scales are half floats on disk only."""
        name = node.input[0]
        self.dropped.add(name)
        codes = self._add(f"{name}.codes", table.codes)
        halves = self._add(f"{name}.halves", table.scales)
        scales = f"{name}.scales"
        return [
            helper.make_node("Cast", [halves], [scales], to=TensorProto.FLOAT),
            helper.make_node(
                "GatherBlockQuantized",
                [codes, node.input[1], scales],
                list(node.output),
                domain=_CONTRIB,
                bits=table.bits,
                block_size=BLOCK,
                gather_axis=0,
                quantize_axis=1,
            ),
        ]
