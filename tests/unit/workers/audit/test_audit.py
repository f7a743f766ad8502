"""Served decisions, sampled, judged and reported."""

import json
import stat
from typing import Any

import orjson
import pytest
from click.testing import CliRunner

from models.pipeline.bounds import upper_bound
from tests.fakes.hot import make_predictions, make_utterance
from topics.codec import encode
from topics.decision import (
    Candidate,
    Decision,
    Kind,
    Reason,
    Status,
    WouldHave,
    decision_id,
)
from topics.profile import Mode
from workers.audit.case import BANDS, Case, band, cases, write_cases
from workers.audit.report import Precision, report
from workers.audit.sample import sample
from workers.audit.terminal import go_through, left, plain
from workers.audit_record import read_record
from workers.cli import main


def make_decision(call_id="c", **overrides) -> Decision:
    fields: dict[str, Any] = {
        "decision_id": decision_id("t", call_id, 1),
        "tenant_id": "t",
        "agent_id": "a",
        "call_id": call_id,
        "seq": 1,
        "kind": Kind.SERVE,
        "status": Status.OK,
        "mode": Mode.LIVE,
        "reasons": (Reason.JUDGED,),
        "playable": True,
        "prediction_id": "yes please",
        "language": "en",
        "candidates": (Candidate(prediction_id="yes please", logit=5.0, reversed_logit=4.3),),
        "thresholds": {"judge": 4.0},
        "received_at_ms": 1,
        "decided_at_ms": 2,
    } | overrides
    return Decision(**fields)


def make_case(number=0, **overrides) -> Case:
    fields: dict[str, Any] = {
        "decision_id": f"d{number}",
        "tenant_id": "t",
        "call_id": f"c{number}",
        "seq": 1,
        "prediction_id": "p",
        "utterance": "sure",
        "prediction": "yes",
        "language": "en",
        "band": "far",
    } | overrides
    return Case(**fields)


@pytest.fixture
def log(tmp_path):
    """Write events as a log."""

    def write(*events) -> str:
        path = tmp_path / "log.jsonl"
        path.write_bytes(b"\n".join(encode(event) for event in events))
        return str(path)

    return write


def turn(call_id: str, text="sure go ahead", **decision) -> list[Any]:
    return [
        make_decision(call_id, **decision),
        make_utterance(call_id=call_id, text=text),
        make_predictions("yes please", call_id=call_id),
    ]


def run(*arguments: str, given: str = "") -> tuple[int, dict[str, Any], str]:
    result = CliRunner().invoke(main, ["audit", *arguments], input=given)
    lines = result.stdout.splitlines()
    last = json.loads(lines[-1]) if lines and lines[-1].startswith("{") else {}
    return result.exit_code, last, result.output


class TestBands:
    @pytest.mark.parametrize(
        ("overrides", "expected"),
        [
            pytest.param({}, "near", id="the lower order decides"),
            pytest.param(
                {"candidates": (Candidate(prediction_id="yes please", logit=5.0),)},
                "middle",
                id="one order",
            ),
            pytest.param({"thresholds": {"judge": 1.0}}, "far", id="sure"),
            pytest.param({"reasons": (Reason.EXACT,)}, "exact", id="exact"),
            pytest.param({"reasons": (Reason.CONSERVATIVE,)}, "conservative", id="no judge"),
            pytest.param({"thresholds": {}}, "near", id="not known is looked at first"),
        ],
    )
    def test_distance_from_the_threshold(self, overrides, expected):
        """
        A band says how sure the judge was of what it served.
        """
        found = band(make_decision(**overrides), "yes please")

        assert found == expected
        assert found in BANDS


class TestCases:
    def logged(self, log, *events):
        from pathlib import Path  # noqa: PLC0415

        from models.evaluation.events import read_logged  # noqa: PLC0415

        return read_logged([Path(log(*events))])

    def test_served_and_shadow_are_cases_and_misses_are_none(self, log):
        """
        Whatever was or would have been played is judged; nothing else.
        """
        shadow = {
            "kind": Kind.MISS,
            "mode": Mode.SHADOW,
            "playable": False,
            "prediction_id": None,
            "reasons": (Reason.SHADOW, Reason.JUDGED),
            "would_have": WouldHave(kind=Kind.SERVE, prediction_id="yes please"),
        }
        miss = {"kind": Kind.MISS, "playable": False, "prediction_id": None}

        found = cases(self.logged(log, *turn("c1"), *turn("c2", **shadow), *turn("c3", **miss)))

        assert {one.call_id for one in found.cases} == {"c1", "c2"}
        assert found.cases[0].response == "reply to yes please"

    def test_a_turn_without_its_texts_is_counted(self, log):
        """
        What nobody can judge is not silently left out.
        """
        found = cases(self.logged(log, make_decision("c1"), *turn("c2")))

        assert (len(found.cases), found.without_texts) == (1, 1)

    def test_two_texts_for_one_turn_cannot_be_judged(self, log):
        """
        Nobody knows which of them was served.
        """
        found = cases(self.logged(log, *turn("c1"), make_utterance(call_id="c1", text="no")))

        assert (len(found.cases), found.without_texts) == (0, 1)


#: Many far ones, some near ones, and a language with few.
POPULATION = [
    *(make_case(n, language="en", band="far") for n in range(500)),
    *(make_case(1_000 + n, language="en", band="near") for n in range(60)),
    *(make_case(2_000 + n, language="ar", band="far") for n in range(5)),
]


class TestSample:
    def test_small_strata_are_seen_and_near_ones_twice(self):
        """
        A language with five turns is not drowned by one with five hundred.
        """
        drawn = sample(POPULATION, size=65, seed="1")

        strata = [(one.language, one.band) for one in drawn]
        assert strata.count(("ar", "far")) == 5
        assert strata.count(("en", "near")) == 40
        assert strata.count(("en", "far")) == 20
        assert {one.population for one in drawn if one.language == "ar"} == {5}
        assert {one.drawn for one in drawn if one.band == "near"} == {40}

    def test_it_is_the_same_each_time_and_another_with_another_seed(self):
        """
        A sample can be drawn again; a new one is really new.
        """
        one, again = (sample(POPULATION, size=50, seed="1") for _ in range(2))
        other = sample(list(reversed(POPULATION)), size=50, seed="1")
        new = sample(POPULATION, size=50, seed="2")

        assert one == again == other
        assert {case.decision_id for case in one} != {case.decision_id for case in new}

    @pytest.mark.parametrize("size", [1, 564, 565, 10_000])
    def test_never_more_than_there_are_or_were_asked_for(self, size):
        """
        The whole log is a sample too.
        """
        drawn = sample(POPULATION, size=size, seed="1")

        assert len(drawn) == min(size, 565)
        assert len({one.decision_id for one in drawn}) == len(drawn)

    def test_nothing_gives_nothing(self):
        """
        An empty log is no reason to fail.
        """
        assert sample([], size=10, seed="1") == []


class TestReport:
    def test_intervals_are_exact(self):
        """
        Clopper-Pearson, both sides: 18 of 20 lies between 68.3 and 98.8 %.
        """
        low, high = Precision(right=18, labelled=20).interval or (0, 0)

        assert low == pytest.approx(0.6830, abs=1e-4)
        assert high == pytest.approx(0.9877, abs=1e-4)

    @pytest.mark.parametrize("right", [0, 20])
    def test_no_error_seen_is_not_no_error(self, right):
        """
        All right leaves room below, all wrong room above.
        """
        low, high = Precision(right=right, labelled=20).interval or (0, 0)

        assert high - low == pytest.approx(upper_bound(0, 20, 0.975), abs=1e-9)

    def test_nobody_looked(self):
        """
        No label is no share, and not a share of zero.
        """
        assert Precision(right=0, labelled=0).share is None
        assert Precision(right=0, labelled=0).interval is None

    def test_the_whole_is_weighted_by_the_log(self):
        """
        A stratum that was looked at more closely does not count for more.
        """
        near = [make_case(n, band="near", population=10) for n in range(10)]
        far = [make_case(100 + n, band="far", population=90) for n in range(10)]
        labels = {(one.decision_id, "p"): int(one.band == "far") for one in near + far}

        made = report(near + far, labels)

        assert made.weighted == pytest.approx(0.9)
        assert made.by_band["near"].share == 0
        assert made.by_language["en"].share == 0.5
        assert made.by_language["en"].population == 100

    def test_a_stratum_without_a_label_leaves_the_whole_open(self):
        """
        What was not looked at is not taken for right.
        """
        seen = make_case(1, band="near", population=10)
        unseen = make_case(2, band="far", population=90)

        assert report([seen, unseen], {("d1", "p"): 1}).weighted is None


class TestTerminal:
    @pytest.mark.parametrize(
        ("text", "shown"),
        [
            pytest.param("\x1b[2Jgone", "\\u001b[2Jgone", id="escape"),
            pytest.param("a\u202eb", "a\\u202eb", id="override"),
            pytest.param("a\nb\r", "a\\u000ab\\u000d", id="line breaks"),
            pytest.param("नहीं چاہیے", "नहीं چاہیے", id="scripts stay"),
            pytest.param("می\u200cخواهم", "می\u200cخواهم", id="joiners stay"),
            pytest.param("a\u2069b", "a\\u2069b", id="end of the isolate"),
        ],
    )
    def test_hostile_text_cannot_touch_the_terminal(self, text, shown):
        """
        What a caller said is shown in an isolate of its own, and commands nothing.
        """
        assert plain(text) == f"\u2068{shown}\u2069"

    def test_every_text_of_a_case_is_shown_so(self, tmp_path):
        """
        The agent's and the caller's words, the prediction and the reply, also one in fields.
        """
        hostile = "\x1b[2J\u202e"
        texts = dict.fromkeys(("agent_text", "utterance", "prediction", "response"), hostile)
        waiting = [make_case(1, **texts), make_case(2, **texts | {"response": {"say": hostile}})]
        shown: list[str] = []

        go_through(
            waiting, tmp_path / "labels", by="kim", ask=lambda _question: "s", show=shown.append
        )

        lines = [line for line in shown if "\u2068" in line]
        assert len(lines) == 8
        assert all(line.replace("\u2068", "").replace("\u2069", "").isprintable() for line in shown)
        assert all(line.endswith("\u2069") for line in lines)

    def test_answers_are_kept_at_once_and_not_asked_again(self, tmp_path):
        """
        A session that is stopped goes on where it was; skipped ones come again.
        """
        path = tmp_path / "labels.jsonl"
        waiting = [make_case(n) for n in range(5)]
        answers = iter("ynsq")

        counts = go_through(
            waiting, path, by="kim", ask=lambda _question: next(answers), show=lambda _line: None
        )

        assert counts == {"right": 1, "wrong": 1, "skipped": 1}
        assert [one.decision_id for one in left(waiting, path)] == ["d2", "d3", "d4"]
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


class TestCommands:
    def test_the_whole_loop(self, log, tmp_path):
        """
        A log becomes a sample, a person's answers become labels, and those a report and rows.
        """
        events = log(*(event for n in range(6) for event in turn(f"c{n}", text=f"sure {n}")))
        out, labels = str(tmp_path / "cases.jsonl"), str(tmp_path / "labels.jsonl")

        drawn = run("sample", events, "--out", out, "--size", "4")
        said = run("label", out, "--labels", labels, "--by", "kim", given="y\nx\nn\ny\ny\n")
        code, found, _ = run("report", out, "--labels", labels)
        exported = CliRunner().invoke(
            main,
            ["label", "export", events, "--labels", labels, "--out", str(tmp_path / "rows")],
        )

        assert drawn[1] == {"drawn": 4, "served": 6, "without_texts": 0}
        assert stat.S_IMODE((tmp_path / "cases.jsonl").stat().st_mode) == 0o600
        assert said[1] == {"right": 3, "wrong": 1, "skipped": 0, "left": 0}
        assert code == 0
        assert found["weighted_precision"] == 0.75
        assert found["by_language"]["en"]["wrong"] == 1
        assert json.loads(exported.stdout.splitlines()[-1])["rows"] == 4

    def test_labels_that_disagree_count_as_wrong(self, log, tmp_path):
        """
        In doubt it was not right.
        """
        events = log(*turn("c1"))
        out, labels = tmp_path / "cases.jsonl", tmp_path / "labels.jsonl"
        run("sample", events, "--out", str(out))
        rows = [
            {"decision_id": decision_id("t", "c1", 1), "prediction_id": "yes please", "label": one}
            for one in (1, 0)
        ]
        labels.write_bytes(b"\n".join(orjson.dumps(row) for row in rows))

        _, found, _ = run("report", str(out), "--labels", str(labels))

        assert found["disputed_pairs"] == 1
        assert found["by_language"]["en"]["right"] == 0

    def test_nothing_served_is_an_error_that_says_so(self, log, tmp_path):
        """
        An empty sample is no sample.
        """
        events = log(make_decision(kind=Kind.MISS, prediction_id=None, playable=False))

        code, _, output = run("sample", events, "--out", str(tmp_path / "cases.jsonl"))

        assert code == 1
        assert "no served decision" in output

    def test_a_log_is_not_overwritten(self, log):
        """
        A typing error costs no log.
        """
        events = log(*turn("c1"))

        code, _, output = run("sample", events, "--out", events)

        assert code == 2
        assert "overwrite" in output

    def test_garbage_is_named_by_line_and_never_quoted(self, tmp_path):
        """
        A bad line costs itself alone.
        """
        path = tmp_path / "cases.jsonl"
        path.write_bytes(encode(make_case(1)) + b'\n{"secret":"zanzibar"}\nnonsense\n')

        code, found, output = run("label", str(path), "--labels", str(tmp_path / "l"), given="y\n")

        assert code == 0
        assert found["right"] == 1
        assert "line 2" in output
        assert "line 3" in output
        assert "zanzibar" not in output


@pytest.fixture
def judged(tmp_path):
    """Write cases and their labels: of each language, how many are right and how many wrong."""

    def write(**counts: tuple[int, int]) -> tuple[str, str]:
        found: list[Case] = []
        rows: list[dict[str, Any]] = []
        for language, (right, wrong) in counts.items():
            for number in range(right + wrong):
                one = make_case(len(found), language=language)
                found.append(one)
                rows.append(
                    {
                        "decision_id": one.decision_id,
                        "prediction_id": one.prediction_id,
                        "label": int(number < right),
                    }
                )
        out, labels = tmp_path / "cases.jsonl", tmp_path / "labels.jsonl"
        write_cases(out, found)
        labels.write_bytes(b"\n".join(orjson.dumps(row) for row in rows))
        return str(out), str(labels)

    return write


class TestRefusals:
    @pytest.mark.parametrize(
        ("content", "line"),
        [
            pytest.param(b"\x00\x01zanzibar\n\xff\xfe\n", "line 1", id="binary"),
            pytest.param(b'{"secret":"zanzibar"}\n', "line 1", id="another's JSONL"),
            pytest.param(encode(make_case(1)) + b"\nzanzibar\n", "line 2", id="a damaged line"),
            pytest.param(encode(make_decision()) + b"\n", "line 1", id="the log itself"),
            pytest.param(b"", "no case", id="empty"),
            pytest.param(b"\n \n", "no case", id="blank lines"),
        ],
    )
    def test_a_report_is_not_made_of_another_file(self, judged, tmp_path, content, line):
        """
        What is no file of cases ends with 1, by line and without its text, and records nothing.
        """
        _, labels = judged(en=(3, 0))
        foreign, record = tmp_path / "foreign", tmp_path / "audit.json"
        foreign.write_bytes(content)

        code, found, output = run(
            "report", str(foreign), "--labels", labels, "--record", str(record)
        )

        assert (code, found) == (1, {})
        assert line in output
        assert "zanzibar" not in output
        assert not record.exists()

    @pytest.mark.parametrize(
        "content", [b"\x00\xff\n", b'{"label":0}\n'], ids=["binary", "no turn"]
    )
    def test_a_line_that_is_no_label_may_have_been_the_wrong_serve(self, judged, tmp_path, content):
        """
        A report is not made without it.
        """
        cases_file, labels = judged(en=(3, 0))
        with (tmp_path / "labels.jsonl").open("ab") as file:
            file.write(b"\n" + content)

        code, _, output = run("report", cases_file, "--labels", labels)

        assert code == 1
        assert "line 4" in output

    def test_labels_of_another_sample_report_nothing(self, judged, tmp_path):
        """
        A report in which nobody looked is none.
        """
        cases_file, _ = judged(en=(3, 0))
        other = tmp_path / "other.jsonl"
        other.write_bytes(b'{"decision_id":"x","prediction_id":"p","label":1}\n')

        code, _, output = run("report", cases_file, "--labels", str(other))

        assert code == 1
        assert "no label" in output

    def test_many_bad_lines_are_not_all_named(self, judged, tmp_path):
        """
        A large file of something else fills no screen.
        """
        _, labels = judged(en=(1, 0))
        foreign = tmp_path / "foreign"
        foreign.write_bytes(b"x\n" * 5_000)

        _, _, output = run("report", str(foreign), "--labels", labels)

        assert "5000 lines" in output
        assert len(output.splitlines()) < 30

    def test_nothing_to_label_is_not_all_labelled(self, tmp_path):
        """
        A file without a case has not been gone through.
        """
        foreign = tmp_path / "foreign"
        foreign.write_bytes(b"\x00\n")

        code, _, output = run("label", str(foreign), "--labels", str(tmp_path / "l"))

        assert code == 1
        assert "every case has a label" not in output


class TestRecord:
    def test_a_report_is_left_for_the_worker(self, judged, tmp_path):
        """
        With --record the counts by language stand where a worker looks, and nothing else.
        """
        cases_file, labels = judged(en=(19, 1), hi=(4, 0))
        path = tmp_path / "new" / "audit.json"

        code, found, _ = run("report", cases_file, "--labels", labels, "--record", str(path))

        record = read_record(path)
        assert code == 0
        assert record is not None
        assert {
            name: (one.right, one.wrong, one.low95) for name, one in record.by_language.items()
        } == {
            name: (part["right"], part["wrong"], part["low95"])
            for name, part in found["by_language"].items()
        }
        assert b"sure" not in path.read_bytes()
