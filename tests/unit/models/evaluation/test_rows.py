"""Reading labelled rows."""

import json

import pytest

from models.evaluation.rows import name_of, read_pairs, read_turns
from models.script_report import RowError
from tests.unit.models.evaluation.factories import make_pair


@pytest.fixture
def write(tmp_path):
    """Write lines, or rows, to a file and give its path."""

    def write_file(*lines, name="rows.jsonl"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
        path.write_text("\n".join(texts) + "\n", "utf-8")
        return path

    return write_file


PAIR = {"utterance": "haan", "prediction": "haan ji", "label": 1}
TURN = {"agent": "ready?", "utterance": "haan", "predictions": [{"text": "haan ji", "label": 1}]}


class TestReadPairs:
    def test_bare(self, write):
        """
        Two texts and a label are a pair; the rest is not known.
        """
        (pair,) = read_pairs([write(PAIR)])

        assert pair == make_pair("haan", "haan ji", 1, file="rows.jsonl", row=1)

    def test_everything(self, write):
        """
        Class, agent, id and language are kept; a number may be an id, and other fields may come.
        """
        more = {"class": "polarity", "agent": "ready?", "id": 7, "language": "hinglish", "x": []}

        (pair,) = read_pairs([write(PAIR | more)])

        assert (pair.kind, pair.agent, pair.id, pair.language) == (
            "polarity",
            "ready?",
            "7",
            "hinglish",
        )

    @pytest.mark.parametrize(
        ("sides", "language"),
        [(("ar-EG", "ar-Gulf"), "ar"), (("hi", "en"), "mixed")],
        ids=["one language", "crossed"],
    )
    def test_rows_of_the_data_stage(self, write, sides, language):
        """
        A training row is a pair, whose language is told side by side.
        """
        row = {"a": "x", "b": "y", "label": 0, "language_a": sides[0], "language_b": sides[1]}

        (pair,) = read_pairs([write(row)])

        assert (pair.utterance, pair.prediction, pair.language) == ("x", "y", language)

    def test_turns_as_pairs(self, write):
        """
        A turn is a pair for each prediction, named by the turn and its place in it.
        """
        predictions = [{"text": "haan ji", "label": 1, "class": "a"}, {"text": "na", "label": 0}]
        turn = TURN | {"predictions": predictions, "language": "hinglish"}

        named, other, bare, _ = read_pairs([write(turn | {"id": "t1"}, turn)])

        assert (named.utterance, named.prediction, named.label) == ("haan", "haan ji", 1)
        assert (named.id, named.kind, named.agent, named.language) == (
            "t1/1",
            "a",
            "ready?",
            "hinglish",
        )
        assert (other.id, other.kind, other.label) == ("t1/2", None, 0)
        assert (bare.id, bare.row) == ("rows.jsonl:2/1", 2)

    def test_line_numbers_count_blank_lines(self, write):
        """
        A blank line is no row, but it is a line.
        """
        pairs = read_pairs([write(PAIR, "", PAIR, "  ")])

        assert [pair.row for pair in pairs] == [1, 3]

    def test_other_line_separators_are_text(self, write):
        """
        A row ends at a line feed alone: what Unicode calls a line may stand in a text.
        """
        line = json.dumps(PAIR | {"utterance": "a\u2028b\x85c"}, ensure_ascii=False)

        assert len(read_pairs([write(line)])) == 1

    def test_files_of_one_name(self, write):
        """
        Files of one name are told apart by their folder.
        """
        paths = [write(PAIR, name="easy/test.jsonl"), write(PAIR, name="hard/test.jsonl")]

        assert [pair.file for pair in read_pairs(paths)] == [str(path) for path in paths]

    @pytest.mark.parametrize(
        "bad",
        [
            pytest.param("{secret", id="not JSON"),
            pytest.param('["secret"]', id="not an object"),
            pytest.param({"utterance": "secret", "label": 1}, id="no prediction"),
            pytest.param(PAIR | {"prediction": ["secret"]}, id="prediction is no text"),
            pytest.param({"utterance": "secret", "prediction": "secret"}, id="no label"),
            pytest.param(PAIR | {"label": "secret"}, id="label is text"),
            pytest.param(PAIR | {"label": 2}, id="label is another number"),
            pytest.param(PAIR | {"label": 1.0}, id="label is no integer"),
            pytest.param(PAIR | {"class": {"secret": 1}}, id="class is no text"),
            pytest.param(PAIR | {"id": True}, id="id is no name"),
            pytest.param(TURN | {"predictions": ["secret"]}, id="prediction is no object"),
            pytest.param(TURN | {"predictions": [{"text": "secret"}]}, id="turn without label"),
        ],
    )
    def test_bad_row(self, write, bad):
        """
        A bad row stops the reading; the error names file and line and nothing of it.
        """
        with pytest.raises(RowError) as excinfo:
            read_pairs([write(PAIR, bad)])

        assert "rows.jsonl, line 2" in str(excinfo.value)
        assert "secret" not in str(excinfo.value)
        assert excinfo.value.__suppress_context__

    def test_no_rows(self, write):
        """
        A file without rows is an error, since it would measure nothing in silence.
        """
        with pytest.raises(RowError, match="no rows"):
            read_pairs([write(PAIR), write("", name="empty.jsonl")])


class TestReadTurns:
    def test_turn(self, write):
        """
        A turn has predictions with labels; it may have none.
        """
        turns = read_turns([write(TURN, TURN | {"predictions": [], "id": "t2"})])

        assert [turn.predictions for turn in turns] == [(("haan ji", 1),), ()]
        assert (turns[0].agent, turns[1].id, turns[1].row) == ("ready?", "t2", 2)

    @pytest.mark.parametrize(
        "predictions",
        [
            pytest.param(None, id="none"),
            pytest.param({"text": "secret"}, id="no list"),
            pytest.param(["secret"], id="text alone"),
            pytest.param([{"text": "secret"}], id="no label"),
            pytest.param([{"label": 1}], id="no text"),
        ],
    )
    def test_bad_predictions(self, write, predictions):
        """
        Predictions that are no list of labelled texts are refused.
        """
        with pytest.raises(RowError, match="line 1") as excinfo:
            read_turns([write(TURN | {"predictions": predictions})])

        assert "secret" not in str(excinfo.value)


@pytest.mark.parametrize(
    ("pair", "several", "name"),
    [
        (make_pair(id="p7", row=3), True, "p7"),
        (make_pair(row=3), False, 3),
        (make_pair(row=3), True, "pairs.jsonl:3"),
    ],
    ids=["id", "one file", "several files"],
)
def test_name(pair, several, name):
    """
    A row is named by its id, or by its number, which says something within its file only.
    """
    assert name_of(pair, several=several) == name
