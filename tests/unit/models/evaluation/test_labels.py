"""Reading and settling labels."""

import pytest

from models.evaluation.labels import of_another_turn, read_labels, served_prediction, settle
from tests.unit.models.evaluation.factories import make_decision, write_lines
from topics.decision import Kind, WouldHave, decision_id
from topics.profile import Mode

TURN = {"tenant_id": "t", "call_id": "c", "seq": 1}


def read(tmp_path, *rows):
    return read_labels([write_lines(tmp_path / "labels.jsonl", *rows)])


def test_a_turn_stands_for_its_decision(tmp_path):
    """
    Who names the turn means the decision that is named after it.
    """
    by_id = {"decision_id": decision_id("t", "c", 1), "prediction_id": "p1", "label": 1}
    by_turn = TURN | {"prediction_id": "p1", "label": 0, "labeller": "ana", "note": "secret"}

    given, problems = read(tmp_path, by_id, by_turn)

    assert [one.turn for one in given] == [decision_id("t", "c", 1)] * 2
    assert [one.label.label for one in given] == [1, 0]
    assert problems == []


@pytest.mark.parametrize(
    "bad",
    [
        pytest.param(b"{secret", id="not JSON"),
        pytest.param({"decision_id": "d", "note": "secret"}, id="no label"),
        pytest.param({"decision_id": "d", "label": 2, "note": "secret"}, id="another number"),
        pytest.param({"decision_id": "d", "label": True, "note": "secret"}, id="no number"),
        pytest.param({"decision_id": "d", "label": "secret"}, id="text"),
        pytest.param({"label": 1, "note": "secret"}, id="no turn"),
        pytest.param({"tenant_id": "t", "call_id": "secret", "label": 1}, id="half a turn"),
        pytest.param({"decision_id": "d", "label": 1, "prediction_id": 7}, id="id is no text"),
    ],
)
def test_bad_row(tmp_path, bad):
    """
    A bad row is named by file and line, and not shown; the others are read.
    """
    given, (problem,) = read(tmp_path, {"decision_id": "d", "label": 1}, bad)

    assert str(problem).startswith(f"{tmp_path / 'labels.jsonl'}, line 2: ")
    assert "secret" not in str(problem)
    assert len(given) == 1


@pytest.mark.parametrize(
    ("decision", "expected"),
    [
        pytest.param(make_decision(kind=Kind.SERVE, prediction_id="p2"), "p2", id="live"),
        pytest.param(
            make_decision(
                mode=Mode.SHADOW, would_have=WouldHave(kind=Kind.SERVE, prediction_id="p2")
            ),
            "p2",
            id="shadow",
        ),
        pytest.param(make_decision(), None, id="miss"),
    ],
)
def test_served_prediction(decision, expected):
    """
    In shadow mode, what would have been served is what people judge.
    """
    assert served_prediction(decision) == expected


@pytest.mark.parametrize(
    ("named", "expected"),
    [({}, False), (TURN, False), ({"seq": 2}, True), ({"call_id": "d"}, True)],
    ids=["decision alone", "same turn", "another turn", "another call"],
)
def test_of_another_turn(tmp_path, named, expected):
    """
    A row whose turn is not that of its decision is of one or the other, and nobody knows which.
    """
    ((given,), _) = read(tmp_path, named | {"decision_id": decision_id("t", "c", 1), "label": 1})

    assert of_another_turn(given.label, make_decision()) is expected


def test_settle(tmp_path):
    """
    Rows that agree are one label; where they do not, none of them is, and each is named.
    """
    agreed = TURN | {"label": 1}
    (*rows, against), _ = read(tmp_path, agreed, agreed, agreed, agreed | {"label": 0})

    settled = settle([("p1", rows[0]), ("p1", rows[1]), ("p2", rows[2]), ("p2", against)])

    path = tmp_path / "labels.jsonl"
    assert settled.labels == {(rows[0].turn, "p1"): rows[0]}
    assert (settled.repeated, settled.conflicting_pairs) == (1, 1)
    assert list(map(str, settled.conflicts)) == [
        f"{path}, line 3: another label than {path}, line 4: the pair is left out",
        f"{path}, line 4: another label than {path}, line 3: the pair is left out",
    ]
