"""What an exporter noted in a graph does not leave with it."""

from pathlib import Path

import pytest

from models.bundle import MODEL

BUNDLES = Path(__file__).parents[4] / "models" / "bundles"


@pytest.mark.parametrize("kind", ["encoder", "judge", "answer"])
def test_no_bundle_says_where_it_was_made(kind):
    """No graph that ships has stack traces, or the source file of any node."""
    graph = (BUNDLES / kind / MODEL).read_bytes()

    assert b"stack_trace" not in graph
    assert b".py" not in graph


def test_only_notes_are_taken():
    """Doc strings and metadata go from each part of a graph; what computes stays."""
    onnx = pytest.importorskip("onnx", reason="onnx is not installed: it is of the extra `train`")
    from onnx import TensorProto, helper  # noqa: PLC0415 - may not be there

    from models.pipeline.bare import strip  # noqa: PLC0415

    out = helper.make_tensor_value_info("y", TensorProto.FLOAT, [1], doc_string="made in a.py")
    inner = helper.make_graph(
        [helper.make_node("Identity", ["x"], ["y"], doc_string="a.py, line 1")], "inner", [], [out]
    )
    node = helper.make_node("If", ["c"], ["y"], then_branch=inner, else_branch=inner)
    node.metadata_props.add(key="stack_trace", value="a.py")
    inputs = [
        helper.make_tensor_value_info("c", TensorProto.BOOL, []),
        helper.make_tensor_value_info("x", TensorProto.FLOAT, [1]),
    ]
    graph = helper.make_graph([node], "whole", inputs, [out], doc_string="a.py")
    model = helper.make_model(graph, doc_string="a.py")

    strip(model)

    assert b"a.py" not in model.SerializeToString()
    assert [one.op_type for one in model.graph.node] == ["If"]
    assert model.graph.node[0].attribute[0].g.node[0].op_type == "Identity"
    onnx.checker.check_model(model)
