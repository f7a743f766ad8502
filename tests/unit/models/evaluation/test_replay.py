"""Decisions under another threshold."""

import pytest

from models.evaluation.replay import Answer, read_log, redecide, replayable, summarise
from models.script_report import RowError
from topics.codec import encode
from topics.decision import Candidate, Decision, Kind, Reason, Status, WouldHave
from topics.profile import Mode

J, B, S, T, E = (
    Reason.JUDGED,
    Reason.BELOW_THRESHOLD,
    Reason.SECOND_OPINION,
    Reason.TIE,
    Reason.SIDE_EFFECT,
)


def make_decision(*reasons, logits=(3.0, -2.0), number=0, **overrides) -> Decision:
    """A decision at threshold 2."""
    reasons = reasons or (Reason.JUDGED,)
    values = {
        "decision_id": f"{number:032}",
        "tenant_id": "t",
        "agent_id": "a",
        "call_id": "c",
        "seq": number,
        "kind": Kind.SERVE if reasons[0] in {J, Reason.EXACT} else Kind.MISS,
        "status": Status.OK,
        "mode": Mode.LIVE,
        "reasons": reasons,
        "candidates": tuple(
            Candidate(prediction_id=f"p{place}", cosine=0.9, logit=logit)
            for place, logit in enumerate(logits)
        ),
        "thresholds": {"judge": 2.0},
        "bundles": {"judge": "j1"},
        "received_at_ms": 0,
        "decided_at_ms": 1,
    }
    return Decision(**(values | overrides))


class TestRedecide:
    @pytest.mark.parametrize(
        ("reason", "logits", "min_logit", "expected"),
        [
            pytest.param(J, (3.0,), 2.0, Answer.SERVE, id="served, same threshold"),
            pytest.param(J, (3.0,), 1.0, Answer.SERVE, id="served, lower"),
            pytest.param(J, (3.0,), 2.5, Answer.OPEN, id="served, higher, second opinion unknown"),
            pytest.param(J, (3.0,), 3.5, Answer.MISS, id="served, higher than its logit"),
            pytest.param(J, (2.0, 1.97), 1.0, Answer.OPEN, id="served, lower, newly a tie"),
            pytest.param(J, (2.5, 2.47), 1.0, Answer.SERVE, id="served, tie of one reply"),
            pytest.param(B, (1.0,), 0.5, Answer.OPEN, id="below, lower"),
            pytest.param(B, (1.0,), 1.5, Answer.MISS, id="below, lower but not enough"),
            pytest.param(S, (3.0,), 1.0, Answer.OPEN, id="second opinion, lower"),
            pytest.param(S, (3.0,), 2.0, Answer.MISS, id="second opinion, same"),
            pytest.param(S, (3.0,), 2.5, Answer.MISS, id="second opinion, higher"),
            pytest.param(T, (3.0, 2.97), 1.0, Answer.MISS, id="tie, lower"),
            pytest.param(T, (3.0, 2.97), 2.98, Answer.OPEN, id="tie, rival falls out"),
            pytest.param(E, (3.0,), 2.5, Answer.MISS, id="side effect"),
        ],
    )
    def test_what_follows(self, reason, logits, min_logit, expected):
        """
        What the logits tell is answered; what only a second opinion or a reply tells stays open.
        """
        assert redecide(make_decision(reason, logits=logits), min_logit) is expected


@pytest.mark.parametrize(
    ("decision", "expected"),
    [
        pytest.param(make_decision(), True, id="judged"),
        pytest.param(make_decision(Reason.SHADOW, Reason.JUDGED), True, id="shadow"),
        pytest.param(make_decision(Reason.EXACT), False, id="exact"),
        pytest.param(make_decision(Reason.LANGUAGE, kind=Kind.BYPASS), False, id="bypass"),
        pytest.param(make_decision(Reason.DEADLINE), False, id="too late"),
        pytest.param(make_decision(B, logits=(None, None)), False, id="nothing was judged"),
        pytest.param(
            make_decision(B, Reason.JUDGE_DEGRADED, thresholds={"conservative": 0.98}),
            False,
            id="decided by cosine",
        ),
    ],
)
def test_replayable(decision, expected):
    """
    Only what followed from the judge's logits can be decided again.
    """
    assert replayable(decision) is expected


class TestSummarise:
    def test_changes(self, tmp_path):
        """
        Each threshold has its answers and the turns that would end otherwise.
        """
        path = tmp_path / "log.jsonl"
        served = make_decision(J, number=1, logits=(4.0,))
        below = make_decision(B, number=2, logits=(1.5,))
        shadow = make_decision(
            Reason.SHADOW,
            J,
            number=3,
            logits=(9.0,),
            mode=Mode.SHADOW,
            would_have=WouldHave(kind=Kind.SERVE, prediction_id="p0"),
        )
        exact = make_decision(Reason.EXACT, number=4, candidates=())
        log = [served, below, shadow, exact, served]
        path.write_bytes(b"\n".join(map(encode, log)) + b"\n")

        found = summarise(read_log(path), (5.0, 1.0))

        assert (found["decisions"], found["repeated"], found["replayable"]) == (4, 1, 3)
        assert (found["served_otherwise"], found["judges"]) == (1, {"j1": 3})
        assert found["answers"] == {"serve": 2, "miss": 1, "open": 0}
        higher, lower = found["thresholds"]
        assert higher["answers"] == {"serve": 0, "miss": 2, "open": 1}
        assert [(one["decision_id"], one["after"]) for one in higher["changes"]] == [
            (served.decision_id, "miss"),
            (shadow.decision_id, "open"),
        ]
        assert [(one["before"], one["after"]) for one in lower["changes"]] == [("miss", "open")]

    def test_bad_line(self, tmp_path):
        """
        A line that is no decision is named, and not shown.
        """
        path = tmp_path / "log.jsonl"
        path.write_bytes(encode(make_decision()) + b'\n{"kind": "secret"}\n')

        with pytest.raises(RowError, match=r"log\.jsonl, line 2") as excinfo:
            read_log(path)

        assert "secret" not in str(excinfo.value)
