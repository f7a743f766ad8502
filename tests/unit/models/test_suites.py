import json
import re
from pathlib import Path

import pytest

from models import suites as module
from models.evaluation.rows import read_pairs, read_turns
from models.script_report import RowError
from models.suites import FOLDER, KINDS, LANGUAGES, UnsoundSuiteError, load, summary, texts
from models.text import clean, match_key
from tests.unit.models.spoiling import copied, rewrite

TRAINING = Path(module.__file__).parent / "pipeline" / "data"
NAMES = ("natural", "hard", "gate")


@pytest.fixture(scope="module")
def suites():
    return load()


@pytest.fixture
def folder(tmp_path):
    """A copy of the suites, to spoil."""
    return copied(FOLDER, tmp_path, NAMES)


def first(rows, language, label):
    return next(row for row in rows if row["language"] == language and row["label"] == label)


def bare(text):
    """A text's key without punctuation, as two writers would share it."""
    return re.sub(r"[^\w\s\u0900-\u097f]", "", match_key(clean(text).text)).strip()


class TestTheSuites:
    def test_size(self, suites):
        """
        There are well over 1,300 natural, 800 hard and 440 gate pairs.
        """
        sizes = {name: len(pairs) for name, pairs in suites.pairs.items()}

        assert sizes["natural"] > 1300
        assert sizes["hard"] >= 800
        assert sizes["gate"] >= 440

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_word_overlap_is_no_shortcut(self, suites, language):
        """
        Counting shared words ranks hard pairs worse than chance, and natural ones far from well.
        """
        found = summary(suites)

        assert found["hard"]["languages"][language]["overlap_auc"] < 0.5
        assert found["gate"]["languages"][language]["overlap_auc"] < 0.5
        assert 0.5 < found["natural"]["languages"][language]["overlap_auc"] < 0.8

    @pytest.mark.parametrize("language", LANGUAGES)
    @pytest.mark.parametrize("label", [0, 1], ids=["different", "same"])
    def test_the_reverse_is_no_shortcut(self, suites, language, label):
        """
        In the hard suite at least a tenth of each label goes against "few shared words = same".
        """
        overlaps = [
            module.jaccard(pair.utterance, pair.prediction)
            for pair in suites.hard
            if pair.language == language and pair.label == label
        ]

        against = [overlap >= 0.5 if label else overlap <= 0.25 for overlap in overlaps]

        assert sum(against) / len(against) >= 0.1

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_negations_in_both_orders(self, suites, language):
        """
        Nearly every negation trap of the gate stands in both orders.
        """
        traps = {
            (pair.utterance, pair.prediction)
            for pair in suites.gate
            if (pair.language, pair.kind, pair.label) == (language, "negation", 0)
        }
        keys = {tuple(bare(side).replace("ं", "ँ") for side in trap) for trap in traps}

        both = [(b, a) in keys for a, b in keys]

        assert sum(both) >= 14

    def test_training_data_holds_no_pair(self, suites):
        """
        No training table has both texts of a pair, common replies of one or two words aside.
        """
        tables = [
            {bare(cell) for cell in re.split(r"[\t\n|;/]", path.read_text(encoding="utf-8"))}
            for path in sorted(TRAINING.rglob("*.tsv"))
        ]
        assert tables

        shared = [
            pair.id
            for pairs in suites.pairs.values()
            for pair in pairs
            if all(len(side.split()) > 2 for side in (bare(pair.utterance), bare(pair.prediction)))
            and any({bare(pair.utterance), bare(pair.prediction)} <= table for table in tables)
        ]

        assert shared == []

    @pytest.mark.parametrize("name", ["hard", "gate"])
    def test_evaluation_reads_pairs(self, suites, name):
        """
        The evaluation reads a suite of pairs as it stands.
        """
        pairs = read_pairs([FOLDER / f"{name}.jsonl"])

        assert [pair.id for pair in pairs] == [pair.id for pair in suites.pairs[name]]
        assert {pair.kind for pair in pairs} <= set(KINDS)

    def test_evaluation_reads_turns(self, suites):
        """
        The evaluation reads the natural suite as it stands.
        """
        turns = read_turns([FOLDER / "natural.jsonl"])

        assert [turn.id for turn in turns] == [turn.id for turn in suites.natural]


class TestTexts:
    def test_holds_both_sides(self, suites):
        """
        Every utterance and prediction is among the keys that training must not hold.
        """
        keys = texts(suites)

        assert match_key(suites.gate[0].utterance) in keys
        assert match_key(suites.natural[-1].predictions[-1].text) in keys


class TestLoad:
    @pytest.mark.parametrize(
        ("name", "change", "reason"),
        [
            pytest.param(
                "hard", lambda rows: rows.append(dict(rows[0])), "id given twice", id="id"
            ),
            pytest.param(
                "hard",
                lambda rows: rows.append(rows[0] | {"id": "again"}),
                "again: the same pair",
                id="pair",
            ),
            pytest.param(
                "natural",
                lambda rows: rows[0]["predictions"].append(rows[0]["predictions"][0]),
                "the same pair",
                id="prediction",
            ),
            pytest.param(
                "gate",
                lambda rows: rows.append(first(rows, "en", 0) | {"id": "both-ways"} | {"label": 1}),
                "the same pair",
                id="label",
            ),
            pytest.param(
                "hard",
                lambda rows: rows.append(
                    rows[0]
                    | {
                        "id": "turned",
                        "utterance": rows[0]["prediction"],
                        "prediction": rows[0]["utterance"],
                        "label": 1 - rows[0]["label"],
                    }
                ),
                "turned: labelled unlike",
                id="label-turned",
            ),
            pytest.param(
                "gate",
                lambda rows: rows[0].update(prediction=rows[0]["utterance"] + "."),
                "the exact tier decides it",
                id="exact",
            ),
            pytest.param(
                "hard",
                lambda rows: rows[0].update(utterance=" spaced  out"),
                "clean form",
                id="unclean",
            ),
            pytest.param(
                "hard", lambda rows: rows[0].update(prediction=""), "clean form", id="empty"
            ),
            pytest.param(
                "hard", lambda rows: rows[0].update(utterance="ठीक है"), "script", id="script"
            ),
            pytest.param(
                "natural",
                lambda rows: rows[0].update(predictions=rows[0]["predictions"][:3]),
                "3 predictions",
                id="few-predictions",
            ),
            pytest.param("natural", lambda rows: rows[0].update(agent=" "), "agent", id="agent"),
            pytest.param(
                "natural", lambda rows: rows.__delitem__(slice(10)), "only", id="few-turns"
            ),
            pytest.param(
                "hard",
                lambda rows: rows.__setitem__(
                    slice(None), [r for r in rows if r["class"] != "filler"]
                ),
                "filler: only 0 rows",
                id="class",
            ),
            pytest.param(
                "gate",
                lambda rows: rows.__setitem__(slice(None), [r for r in rows if not r["label"]]),
                "0.00 have a match",
                id="all-no",
            ),
        ],
    )
    def test_unsound(self, folder, name, change, reason):
        """
        Rows that do not fit together are refused, with the rule that they break.
        """
        rewrite(folder, name, change)

        with pytest.raises(UnsoundSuiteError, match=reason):
            load(folder)

    @pytest.mark.parametrize(
        "change",
        [
            pytest.param({"label": 2}, id="label"),
            pytest.param({"label": True}, id="bool"),
            pytest.param({"language": "fr"}, id="language"),
            pytest.param({"class": "mood"}, id="class"),
            pytest.param({"utterance": None}, id="null"),
            pytest.param({"extra": 1}, id="unknown-field"),
        ],
    )
    def test_no_row(self, folder, change):
        """
        A line that is no row is refused by file and line, and its texts stay out of the error.
        """
        spoken = json.loads((folder / "hard.jsonl").read_text(encoding="utf-8").split("\n")[4])
        rewrite(folder, "hard", lambda rows: rows[4].update(change))

        with pytest.raises(RowError, match=r"hard\.jsonl, line 5") as raised:
            load(folder)

        assert spoken["prediction"] not in str(raised.value)


class TestMain:
    def test_last_line_is_json(self, capsys, suites):
        """
        The last line of the command is the summary.
        """
        module.main([])

        *_, last = capsys.readouterr().out.splitlines()
        assert json.loads(last) == json.loads(json.dumps(summary(suites)))

    def test_natural_pairs(self, tmp_path, suites):
        """
        The natural turns are written as pairs that the evaluation reads, with what the agent said.
        """
        path = tmp_path / "natural.pairs.jsonl"

        module.main(["--pairs", str(path)])

        pairs = read_pairs([path])
        assert [pair.id for pair in pairs] == [pair.id for pair in suites.pairs["natural"]]
        assert pairs[0].agent == suites.natural[0].agent
