"""
A graph without what its exporter noted beside it.

torch's exporter leaves the stack trace of every node in the graph, with the folder that the code
lay in. A bundle is given away, so nothing of where it was made stays in it. Names and numbers do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    import onnx


def strip(model: onnx.ModelProto) -> None:
    """
    Take doc strings and metadata from every part of a model, in place.

    Raises:
        ValueError: the model has functions of its own, which no stage here makes.
    """
    if model.functions:
        raise ValueError("the graph has functions")
    for part in (model, *_parts(model.graph)):
        for name in ("doc_string", "metadata_props"):
            if name in part.DESCRIPTOR.fields_by_name:
                part.ClearField(name)


def _parts(graph: onnx.GraphProto) -> Iterator[Any]:
    """Yield a graph and all that it holds, the graphs of its nodes' attributes among them."""
    yield graph
    yield from (*graph.input, *graph.output, *graph.value_info, *graph.initializer)
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            yield attribute
            held = (attribute.g,) if attribute.HasField("g") else attribute.graphs
            for inner in held:
                yield from _parts(inner)
