"""`turngate replay`, as a person types it."""

import json

from click.testing import CliRunner

from topics.codec import encode
from topics.decision import Candidate, Decision, Kind, Reason, Status
from topics.profile import Mode
from workers.cli import main


def make_decision(number, logit) -> Decision:
    return Decision(
        decision_id=f"d{number}",
        tenant_id="t",
        agent_id="a",
        call_id="c",
        seq=number,
        kind=Kind.SERVE,
        status=Status.OK,
        mode=Mode.LIVE,
        reasons=(Reason.JUDGED,),
        candidates=(Candidate(prediction_id="p", cosine=0.9, logit=logit),),
        thresholds={"judge": 2.0},
        bundles={"judge": "j1"},
        received_at_ms=0,
        decided_at_ms=1,
    )


def test_replay(tmp_path):
    """
    What would change is printed, and complete in the last line.
    """
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"\n".join(encode(make_decision(n, 2.1 + n)) for n in range(30)))

    result = CliRunner().invoke(main, ["replay", str(path), "--min-logit", "25"])

    assert result.exit_code == 0, result.output
    found = json.loads(result.output.splitlines()[-1])
    (tried,) = found["thresholds"]
    assert tried["answers"] == {"serve": 0, "miss": 23, "open": 7}
    assert len(tried["changes"]) == 30
    assert "d0  serve -> miss  best logit +2.100" in result.output
    assert "and 10 more" in result.output


def test_a_threshold_is_needed(tmp_path):
    """
    Without a threshold to try there is nothing to replay.
    """
    path = tmp_path / "log.jsonl"
    path.write_bytes(encode(make_decision(1, 3.0)))

    assert CliRunner().invoke(main, ["replay", str(path)]).exit_code == 2
