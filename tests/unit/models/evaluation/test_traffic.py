"""Turns to decide anew."""

import pytest

from models.evaluation.traffic import TrafficError, read_traffic
from models.script_report import RowError
from tests.unit.models.evaluation.factories import (
    make_decision,
    make_predicted,
    make_said,
    write_lines,
)

ROW = {"agent": "?", "utterance": "ok sure", "predictions": [{"text": "yes please", "label": 1}]}
DECIDED, SAID, PREDICTED = (
    make_decision(language="en"),
    make_said(language="en-IN"),
    make_predicted(),
)
LABEL = {"decision_id": DECIDED.decision_id, "prediction_id": "p2", "label": 0}


def test_rows_and_events(tmp_path):
    """
    Labelled turns and logged ones may be given together.
    """
    rows = write_lines(tmp_path / "rows.jsonl", ROW)
    events = write_lines(tmp_path / "events.jsonl", SAID, PREDICTED)

    of_row, of_events = read_traffic([events, rows]).cases

    assert (of_row.turn.utterance, of_row.turn.predictions) == ("ok sure", (("yes please", 1),))
    assert of_events.turn.predictions == (("yes please", None), ("no thanks", None))
    assert (of_events.turn.id, of_events.hint) == (DECIDED.decision_id, "en-IN")


def test_a_logged_turn_is_what_the_worker_had(tmp_path):
    """
    The first utterance and the newest predictions count, with replies and side effects.
    """
    newer = make_predicted("go ahead", "\u200b", "not now", side_effect=True, created_at_ms=3)
    older = make_predicted("go on", created_at_ms=2)
    lines = (DECIDED, SAID, make_said("no way"), PREDICTED, newer, older)

    traffic = read_traffic([write_lines(tmp_path / "events.jsonl", *lines)])

    (case,) = traffic.cases
    assert (case.turn.utterance, case.turn.language) == ("ok sure", "en")
    assert [text for text, _ in case.turn.predictions] == ["go ahead", "\u200b", "not now"]
    assert [(one.prediction_id, one.response_ref, one.side_effect) for one in case.options] == [
        ("0", "r1", True),
        ("2", "r3", True),
    ]
    assert traffic.counts["turns_with_several_utterances"] == 1


def test_turns_without_texts_are_counted(tmp_path):
    """
    A turn that lacks a text is no agreement: it is left out, and counted.
    """
    lines = (SAID, PREDICTED, make_said(seq=2), make_predicted(seq=3), make_decision(seq=4))

    traffic = read_traffic([write_lines(tmp_path / "events.jsonl", *lines)])

    assert len(traffic.cases) == 1
    assert traffic.counts["utterances_without_predictions"] == 1
    assert traffic.counts["predictions_without_utterance"] == 1
    assert traffic.counts["decisions_without_texts"] == 1


def test_labels(tmp_path):
    """
    Labels of logged turns find their predictions; those of none, and contradictions, are counted.
    """
    served = make_decision(prediction_id="p1")
    events = write_lines(tmp_path / "events.jsonl", served, SAID, make_predicted("a", "b", "c"))
    rows = [
        LABEL,
        {"decision_id": DECIDED.decision_id, "label": 1},
        LABEL | {"prediction_id": "p3"},
        LABEL | {"prediction_id": "p3", "label": 1},
        LABEL | {"prediction_id": "p9"},
        LABEL | {"decision_id": "other"},
    ]
    labels = write_lines(tmp_path / "labels.jsonl", *rows)

    traffic = read_traffic([events], [labels])

    (case,) = traffic.cases
    assert [known for _, known in case.turn.predictions] == [1, 0, None]
    names = ("labels", "labelled_predictions", "conflicting_labels", "labels_of_no_prediction")
    assert [traffic.counts[name] for name in names] == [6, 2, 2, 2]


class TestRefused:
    @pytest.mark.parametrize(
        "lines",
        [(SAID, b"{secret"), (SAID, ROW), (ROW, SAID)],
        ids=["no JSON", "row among events", "event among rows"],
    )
    def test_bad_line(self, tmp_path, lines):
        """
        A line that does not belong there ends the reading, by its number and without its text.
        """
        path = write_lines(tmp_path / "events.jsonl", *lines)

        with pytest.raises(RowError, match=r"events\.jsonl, line 2") as excinfo:
            read_traffic([path])

        assert "secret" not in str(excinfo.value)

    def test_bad_label(self, tmp_path):
        """
        So does a bad label.
        """
        events = write_lines(tmp_path / "events.jsonl", SAID, PREDICTED)
        labels = write_lines(tmp_path / "labels.jsonl", LABEL, LABEL | {"label": 2})

        with pytest.raises(RowError, match=r"labels\.jsonl, line 2"):
            read_traffic([events], [labels])

    def test_labels_of_nothing(self, tmp_path):
        """
        Labelled rows take no further labels: to ignore them would be silent.
        """
        rows = write_lines(tmp_path / "rows.jsonl", ROW)
        labels = write_lines(tmp_path / "labels.jsonl", LABEL)

        with pytest.raises(TrafficError, match="no file has any"):
            read_traffic([rows], [labels])

    def test_no_turn(self, tmp_path):
        """
        Without a whole turn nothing can be compared.
        """
        with pytest.raises(TrafficError, match="no turn has both"):
            read_traffic([write_lines(tmp_path / "events.jsonl", SAID)])
