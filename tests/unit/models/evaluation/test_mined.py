"""Labelled decisions as rows."""

import pytest

from models.evaluation.call import name_of_call, side_of_call
from models.evaluation.mined import LAYER, LeftOut, export, to_line
from models.evaluation.rows import read_pairs
from models.pipeline.data.build import HELD_OUT
from models.pipeline.data.row import read_rows
from tests.unit.models.evaluation.factories import (
    make_decision,
    make_predicted,
    make_said,
    write_lines,
)
from topics.decision import Candidate, Kind, Reason

CANDIDATES = (
    Candidate(prediction_id="p1", cosine=0.9, logit=4.0, reversed_logit=4.0),
    Candidate(prediction_id="p2", cosine=0.8, logit=-2.0),
    Candidate(prediction_id="p3", guard="value"),
)
SERVED = make_decision(
    kind=Kind.SERVE, reasons=(Reason.JUDGED,), prediction_id="p1", candidates=CANDIDATES
)
SAID = make_said("ok sure", agent_text="Shall we start?")
PREDICTED = make_predicted("yes please", "no thanks", "at 5 pm", "who is it")
EVENTS = (SERVED, SAID, PREDICTED)


@pytest.fixture
def mine(tmp_path):
    """Export labels and events."""

    def mine_lines(labels, events=EVENTS, share=0.5):
        return export(
            [write_lines(tmp_path / "log.jsonl", *events)],
            [write_lines(tmp_path / "labels.jsonl", *labels)],
            validation_share=share,
        )

    return mine_lines


def label(prediction_id="p1", value=1, **overrides):
    named = {} if prediction_id is None else {"prediction_id": prediction_id}
    turn = {"tenant_id": "t", "call_id": "c", "seq": 1} | named
    return turn | {"label": value} | overrides


def test_row(mine):
    """
    A row has both texts, the label, what became of the prediction, and its call without its id.
    """
    (mined,) = mine([label()]).rows

    row = mined.row
    assert (row.a, row.b, row.label) == ("ok sure", "yes please", 1)
    assert (row.layer, row.kind, row.source) == (LAYER, "mined:served", "turn.decisions")
    assert (row.language_a, row.language_b) == ("en", "en")
    assert row.group == (f"call:{name_of_call('t', 'c')}",)
    assert (mined.id, mined.agent) == (f"{SERVED.decision_id}/1", "Shall we start?")
    assert mined.side == side_of_call("t", "c", 0.5)


@pytest.mark.parametrize(
    ("prediction_id", "kind"),
    [("p1", "served"), ("p2", "compared"), ("p3", "guard_value"), ("p4", "not_shown")],
)
def test_class(mine, prediction_id, kind):
    """
    The class says what the gate did, so that wrong serves are measured apart.
    """
    (mined,) = mine([label(prediction_id, 0)]).rows

    assert mined.row.kind == f"mined:{kind}"


def test_both_readers(mine, tmp_path):
    """
    A line is read as a row of the data stage and as a labelled pair.
    """
    (mined,) = mine([label()]).rows
    path = tmp_path / "validation.jsonl"
    path.write_bytes(to_line(mined) + b"\n")

    assert list(read_rows(path)) == [mined.row]
    (pair,) = read_pairs([path])
    assert (pair.utterance, pair.prediction, pair.label) == ("ok sure", "yes please", 1)
    assert (pair.kind, pair.agent, pair.id, pair.language) == (
        "mined:served",
        "Shall we start?",
        mined.id,
        "en",
    )


def test_no_stage_trains_on_them():
    """
    The stage that builds training data has no place for the layer.
    """
    assert LAYER not in HELD_OUT


def test_a_call_is_on_one_side(mine):
    """
    All rows of a call go together, and calls of both sides are there.
    """
    events, labels = [], []
    for call in range(20):
        for seq in range(2):
            turn = {"call_id": f"call-{call}", "seq": seq}
            events += [make_decision(**turn), make_said(**turn), make_predicted(**turn)]
            labels += [label("p1", 1, **turn), label("p2", 0, **turn)]

    found = mine(labels, events)

    sides = {(one.row.group, one.side) for one in found.rows}
    assert (len(found.rows), len(sides)) == (80, 20)
    assert {side for _, side in sides} == {"validation", "test"}
    counts = found.counts
    assert counts["validation"]["calls"] + counts["test"]["calls"] == 20
    assert counts["validation"]["positives"] * 2 == counts["validation"]["rows"]


def test_the_served_prediction_needs_no_name(mine):
    """
    Without a prediction the label is of the one that was served, as if the row had named it.
    """
    found = mine([label(None, decision_id=SERVED.decision_id), label("p1")])

    assert [one.row.b for one in found.rows] == ["yes please"]
    assert found.counts["repeated"] == 1


LOST = [
    pytest.param([label(value=7)], EVENTS, LeftOut.BAD_ROW, id="bad row"),
    pytest.param([label(seq=2)], EVENTS, LeftOut.UNKNOWN_DECISION, id="unknown turn"),
    pytest.param([label(tenant_id="u")], EVENTS, LeftOut.UNKNOWN_DECISION, id="another tenant"),
    pytest.param([label()], (SAID, PREDICTED), LeftOut.UNKNOWN_DECISION, id="no decision"),
    pytest.param(
        [label(decision_id=SERVED.decision_id, seq=9)], EVENTS, LeftOut.OTHER_TURN, id="two turns"
    ),
    pytest.param(
        [label(None)], (make_decision(), SAID, PREDICTED), LeftOut.NOTHING_SERVED, id="no serve"
    ),
    pytest.param([label(), label(value=0)], EVENTS, LeftOut.CONFLICTING, id="conflict"),
    pytest.param([label()], (SERVED, PREDICTED), LeftOut.NO_UTTERANCE, id="no utterance"),
    pytest.param([label()], (SERVED, SAID), LeftOut.NO_PREDICTIONS, id="no predictions"),
    pytest.param([label("p9")], EVENTS, LeftOut.UNKNOWN_PREDICTION, id="unknown prediction"),
    pytest.param(
        [label()], (*EVENTS, make_said("no way")), LeftOut.SEVERAL_TEXTS, id="two utterances"
    ),
    pytest.param(
        [label()], (*EVENTS, make_predicted("no way")), LeftOut.SEVERAL_TEXTS, id="two predictions"
    ),
    pytest.param(
        [label()],
        (SERVED, make_said("да, конечно"), PREDICTED),
        LeftOut.OTHER_LANGUAGE,
        id="another language",
    ),
    pytest.param(
        [label()],
        (SERVED, make_said("12"), make_predicted("1 2")),
        LeftOut.NO_LANGUAGE,
        id="no language",
    ),
]


@pytest.mark.parametrize(("labels", "events", "why"), LOST)
def test_left_out(mine, labels, events, why):
    """
    A label that gives no row is named by its line and counted under its reason, without texts.
    """
    found = mine([*labels, label("p2", 0, seq=5)], (*events, make_decision(seq=5)))

    lost = [one for one in found.left_out[why] if one.line <= len(labels)]
    assert [one.line for one in lost] == list(range(1, len(labels) + 1))
    assert found.rows == ()
    counts = found.counts
    assert counts["labels"] == len(labels) + 1 == sum(counts["left_out"].values())
    texts = {SAID.text, *(one.text for one in PREDICTED.predictions), "конечно"}
    assert not any(text in str(problem) for problem in found.problems for text in texts)


def test_nothing_is_lost_silently(mine):
    """
    Rows, repetitions and what was left out are all of the labels; bad lines of the log count too.
    """
    labels = [label(), label(), label("p2", 0), label("p2", 1), label("p3", 0), label("p9"), b"{"]

    found = mine(labels, (*EVENTS, b"{secret"))

    counts = found.counts
    assert (counts["labels"], counts["rows"], counts["repeated"]) == (7, 2, 1)
    left_out = {name: count for name, count in counts["left_out"].items() if count}
    assert left_out == {"bad_rows": 1, "conflicting": 2, "unknown_predictions": 1}
    assert (counts["events"], counts["bad_events"], counts["conflicting_pairs"]) == (3, 1, 1)
    assert len(found.problems) == 5
    assert counts["by_class"] == {"mined:guard_value": 1, "mined:served": 1}
