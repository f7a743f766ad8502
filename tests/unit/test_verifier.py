"""The verifier accepts a sound run and catches each broken promise, and only that one."""

import base64
import hashlib
import json
from typing import Any

import pytest

from tests.faults.schedule import Mix, schedule
from tests.records import Record
from tests.validity import problem
from tests.verifier import verify


def make_utterance(seq=0, *, offset=None, partition=0, **overrides):
    fields = {
        "tenant_id": "acme",
        "agent_id": "bookings",
        "call_id": "call",
        "seq": seq,
        "text": "yes",
        "said_at_ms": 1_000,
    }
    return make_input(
        fields | overrides, offset=seq if offset is None else offset, partition=partition
    )


def make_input(value, *, offset, partition=0):
    return Record(
        topic="turn.utterances",
        partition=partition,
        offset=offset,
        key=b"call",
        value=value if value is None or isinstance(value, bytes) else json.dumps(value).encode(),
    )


def make_decision(seq=0, *, offset=None, partition=0, key=b"call", **overrides):
    fields = {
        "decision_id": "{tenant_id}/{call_id}/{seq}",
        "tenant_id": "acme",
        "agent_id": "bookings",
        "call_id": "call",
        "seq": seq,
        "kind": "miss",
        "status": "ok",
        "reasons": ["no_predictions"],
        "playable": False,
        "timings_ms": {"total": 1.5},
        "received_at_ms": 1_001,
        "decided_at_ms": 1_002,
    }
    fields |= overrides
    fields["decision_id"] = fields["decision_id"].format(**fields)
    return Record(
        topic="turn.decisions",
        partition=partition,
        offset=seq if offset is None else offset,
        key=key,
        value=json.dumps(fields).encode(),
    )


def make_letter(source: Record, *, offset=0, **overrides: Any):
    raw = source.value
    fields = {
        "topic": source.topic,
        "partition": source.partition,
        "offset": source.offset,
        "reason": "not a JSON object",
        "value_base64": None if raw is None else base64.b64encode(raw).decode(),
        "value_bytes": len(raw or b""),
        "value_sha256": None if raw is None else hashlib.sha256(raw).hexdigest(),
        "refused_at_ms": 1_003,
    }
    return Record(
        topic="dead.letters",
        partition=0,
        offset=offset,
        key=None,
        value=json.dumps(fields | overrides).encode(),
    )


def make_predictions(*predictions, seq=0, **overrides):
    event = {"tenant_id": "acme", "call_id": "call", "seq": seq, "predictions": predictions}
    return Record(
        topic="turn.predictions",
        partition=0,
        offset=0,
        key=b"call",
        value=json.dumps(event | overrides).encode(),
    )


def check(utterances, decisions, dead_letters=(), predictions=(), **options):
    return verify(
        utterances=list(utterances),
        decisions=list(decisions),
        dead_letters=list(dead_letters),
        predictions=list(predictions),
        **options,
    )


BAD = make_input(b"[]", offset=7)


class TestSoundRuns:
    @pytest.mark.parametrize(
        ("utterances", "decisions", "letters"),
        [
            pytest.param([], [], [], id="nothing"),
            pytest.param(
                [make_utterance(0), make_utterance(1)],
                [make_decision(0), make_decision(1)],
                [],
                id="two turns",
            ),
            pytest.param([BAD], [], [make_letter(BAD)], id="an invalid record"),
            pytest.param(
                [make_utterance(0)],
                [
                    make_decision(0),
                    make_decision(0, offset=1, decided_at_ms=9, received_at_ms=8, timings_ms={}),
                ],
                [],
                id="a decision repeated later",
            ),
            pytest.param(
                [make_utterance(0), make_utterance(1), make_utterance(0, offset=2)],
                [make_decision(0), make_decision(1), make_decision(0, offset=2)],
                [],
                id="an event repeated after the next turn",
            ),
            pytest.param(
                [make_utterance(0), make_utterance(0, offset=1, text="no")],
                [make_decision(0), make_decision(0, offset=1)],
                [],
                id="a conflict decided as its first",
            ),
            pytest.param(
                [make_utterance(1, offset=0), make_utterance(0, offset=1)],
                [make_decision(1, offset=0), make_decision(0, offset=1)],
                [],
                id="turns out of order, the stale one not playable",
            ),
            pytest.param(
                [make_utterance(0), make_utterance(0, offset=1, tenant_id="other")],
                [make_decision(0), make_decision(0, offset=1, tenant_id="other")],
                [],
                id="two tenants with one call id",
            ),
            pytest.param(
                [BAD],
                [],
                [make_letter(BAD), make_letter(BAD, offset=1, refused_at_ms=9)],
                id="a dead letter repeated",
            ),
            pytest.param(
                [make_input(None, offset=0)],
                [],
                [make_letter(make_input(None, offset=0))],
                id="a null value",
            ),
            pytest.param(
                [BAD],
                [],
                [make_letter(BAD), make_letter(BAD, offset=1, topic="kb.questions")],
                id="a dead letter of another topic",
            ),
            pytest.param(
                [make_utterance(0)],
                [make_decision(0)],
                [make_letter(make_utterance(0))],
                id="a valid event that also has a dead letter",
            ),
        ],
    )
    def test_accepted(self, utterances, decisions, letters):
        """
        A run that keeps its promises has no violation.
        """
        report = check(utterances, decisions, letters)

        assert report.violations == ()
        assert report.ok

    def test_cut_dead_letter(self):
        """
        A dead letter may hold the beginning, if size and digest are of the whole.
        """
        letter = make_letter(
            BAD, value_base64=base64.b64encode(b"[").decode(), value_truncated=True
        )

        assert check([BAD], [], [letter]).ok

    def test_served_prediction(self):
        """
        A prediction that was offered for the turn may be served with its response.
        """
        offered = make_predictions({"prediction_id": "p", "text": "yes", "response_ref": "r"})
        served = make_decision(0, kind="serve", playable=True, prediction_id="p", response_ref="r")

        assert check([make_utterance(0)], [served], predictions=[offered]).ok


class TestViolations:
    @pytest.mark.parametrize(
        ("utterances", "decisions", "letters", "broken"),
        [
            pytest.param(
                [make_utterance(0), make_utterance(1)], [make_decision(0)], [], "I1", id="lost"
            ),
            pytest.param(
                [make_utterance(0), make_utterance(0, offset=1, tenant_id="other")],
                [make_decision(0)],
                [],
                "I1",
                id="lost for one of two tenants",
            ),
            pytest.param([BAD], [], [], "I1", id="invalid record vanished"),
            pytest.param(
                [make_utterance(0)],
                [],
                [make_letter(make_utterance(0))],
                "I1",
                id="dead letter instead of a decision",
            ),
            pytest.param(
                [make_utterance(0)],
                [make_decision(0), make_decision(1)],
                [],
                "I1",
                id="decision that nobody asked for",
            ),
            pytest.param(
                [make_utterance(0)],
                [make_decision(0)],
                [make_letter(BAD)],
                "I1",
                id="dead letter of nothing",
            ),
            pytest.param([BAD], [], [make_letter(BAD, reason="")], "I1", id="no reason"),
            pytest.param(
                [BAD], [], [make_letter(BAD, value_base64="W10K")], "I1", id="other content"
            ),
            pytest.param([BAD], [], [make_letter(BAD, value_bytes=3)], "I1", id="other size"),
            pytest.param([BAD], [], [make_letter(BAD, value_sha256="0")], "I1", id="other digest"),
            pytest.param(
                [BAD], [], [make_letter(BAD, value_base64=None)], "I1", id="content missing"
            ),
            pytest.param(
                [make_input(None, offset=0)],
                [],
                [make_letter(make_input(b"", offset=0))],
                "I1",
                id="empty for null",
            ),
            pytest.param(
                [make_utterance(0)],
                [make_decision(0), make_input(b"{}", offset=1)],
                [],
                "I1",
                id="unreadable decision",
            ),
            pytest.param(
                [make_utterance(0)],
                [make_decision(0)],
                [make_input(b"{}", offset=0)],
                "I1",
                id="unreadable dead letter",
            ),
            pytest.param(
                [make_utterance(0)],
                [make_decision(0), make_decision(0, offset=1, kind="bypass")],
                [],
                "I2",
                id="another kind",
            ),
            pytest.param(
                [make_utterance(0)],
                [make_decision(0), make_decision(0, offset=1, candidates=[])],
                [],
                "I2",
                id="another field",
            ),
            pytest.param(
                [make_utterance(0)],
                [make_decision(0, thresholds={"a": 1}), make_decision(0, offset=1)],
                [],
                "I2",
                id="a field less",
            ),
            pytest.param(
                [make_utterance(0)],
                [
                    make_decision(0, candidates=[{"logit": 1.25}]),
                    make_decision(0, offset=1, candidates=[{"logit": 1.2500001}]),
                ],
                [],
                "I2",
                id="another score",
            ),
            pytest.param(
                [make_utterance(0)],
                [make_decision(0), make_decision(0, offset=1, decision_id="new")],
                [],
                "I2",
                id="a new id",
            ),
            pytest.param(
                [make_utterance(0), make_utterance(1)],
                [make_decision(0, decision_id="same"), make_decision(1, decision_id="same")],
                [],
                "I2",
                id="one id for two turns",
            ),
            pytest.param(
                [BAD],
                [],
                [make_letter(BAD), make_letter(BAD, offset=1, reason="other")],
                "I2",
                id="another reason",
            ),
            pytest.param(
                [make_utterance(0), make_utterance(1)],
                [make_decision(1, offset=0), make_decision(0, offset=1)],
                [],
                "I3",
                id="overtaken",
            ),
            pytest.param(
                [make_utterance(1, offset=0), make_utterance(0, offset=1)],
                [
                    make_decision(1, offset=0),
                    make_decision(0, offset=1, kind="serve", playable=True),
                ],
                [],
                "I3",
                id="stale but playable",
            ),
            pytest.param(
                [make_utterance(0), make_utterance(1)],
                [make_decision(0), make_decision(1, partition=1)],
                [],
                "I3",
                id="a call on two partitions",
            ),
            pytest.param(
                [make_utterance(0)],
                [make_decision(0, key=b"other")],
                [],
                "I3",
                id="keyed by something else",
            ),
            pytest.param(
                [make_utterance(0)],
                [make_decision(0), make_decision(0, offset=1, tenant_id="other")],
                [],
                "I5",
                id="another tenant",
            ),
            pytest.param(
                [make_utterance(0)],
                [make_decision(0, agent_id="other")],
                [],
                "I5",
                id="another agent",
            ),
        ],
    )
    def test_caught(self, utterances, decisions, letters, broken):
        """
        A broken promise is reported as itself, and as nothing else.
        """
        report = check(utterances, decisions, letters)

        assert report.broken() == {broken}
        assert not report.ok

    @pytest.mark.parametrize(
        "offered",
        [
            pytest.param([], id="an id that was not offered"),
            pytest.param([{"prediction_id": "p", "response_ref": "x"}], id="another response"),
            pytest.param(
                [{"prediction_id": "p", "response_ref": "r", "side_effect": True}],
                id="a side effect",
            ),
        ],
    )
    def test_wrong_serve(self, offered):
        """
        Serving what was not offered for this turn, or does something, is reported.
        """
        served = make_decision(0, kind="serve", prediction_id="p", response_ref="r")

        report = check([make_utterance(0)], [served], predictions=[make_predictions(*offered)])

        assert report.broken() == {"I5"}

    @pytest.mark.parametrize(
        "whose",
        [
            pytest.param({"tenant_id": "other"}, id="another tenant"),
            pytest.param({"call_id": "other"}, id="another call"),
            pytest.param({"seq": 1}, id="another turn"),
        ],
    )
    def test_serve_from_elsewhere(self, whose):
        """
        A prediction of another tenant, call or turn may not be served, equal as it may be.
        """
        offered = make_predictions({"prediction_id": "p", "response_ref": "r"}, **whose)
        served = make_decision(0, kind="serve", prediction_id="p", response_ref="r")

        assert check([make_utterance(0)], [served], predictions=[offered]).broken() == {"I5"}

    def test_tenant_swapped(self):
        """
        A decision under another tenant is also a loss for the tenant that asked.
        """
        report = check([make_utterance(0)], [make_decision(0, tenant_id="other")])

        assert report.broken() == {"I1", "I5"}

    def test_driver_knows_better(self):
        """
        What the driver says about its record goes before the rules of the verifier.
        """
        report = check([make_utterance(0)], [], validity={(0, 0): False})

        assert [each.what for each in report.violations] == [
            "the invalid record at (0, 0) has no dead letter"
        ]


class TestReport:
    def test_counts(self):
        """
        The report counts what came in and out, repeats apart.
        """
        report = check(
            [
                make_utterance(0),
                make_utterance(0, offset=1, text="no"),
                make_utterance(1, offset=2),
                BAD,
            ],
            [
                make_decision(0),
                make_decision(0, offset=1),
                make_decision(1, offset=2, status="error"),
            ],
            [make_letter(BAD), make_letter(BAD, offset=1)],
        )

        counts = report.counts
        assert report.ok
        assert (counts.valid, counts.invalid, counts.turns, counts.conflicts) == (3, 1, 2, 1)
        assert (counts.decisions, counts.repeated_decisions) == (3, 1)
        assert (counts.dead_letters, counts.repeated_dead_letters) == (2, 1)
        assert counts.outcomes == {"miss/error": 1, "miss/ok": 1}

    def test_text_names_the_first_violations(self):
        """
        Printed, a report says how many promises were broken, and which.
        """
        text = str(check([make_utterance(seq) for seq in range(30)], []))

        assert "30 violations" in text
        assert text.count("I1: the event") == 20


def reference_run(seed):
    """Play a schedule through the simplest worker that keeps every promise."""
    utterances, decisions, letters = [], [], []
    for offset, item in enumerate(schedule(seed, records=300, mix=Mix(odd_texts=0.0))):
        value = utterances[item.repeats].value if item.repeats is not None else item.encode(5_000)
        record = make_input(value, offset=offset)
        utterances.append(record)
        if problem(value) is not None:
            letters.append(make_letter(record, offset=len(letters)))
            continue
        event = record.json()
        whose = {name: event[name] for name in ("tenant_id", "agent_id", "call_id", "seq")}
        key = event["call_id"].encode()
        decisions.append(make_decision(**whose, offset=len(decisions), key=key))
    return utterances, decisions, letters


class TestScheduledRun:
    @pytest.mark.parametrize("seed", range(3))
    def test_reference_is_accepted(self, seed):
        """
        A mixed stream that is answered as it should be has no violation.
        """
        report = check(*reference_run(seed))

        assert report.violations == ()
        assert min(report.counts.invalid, report.counts.conflicts) > 0

    @pytest.mark.parametrize("seed", range(3))
    def test_any_single_loss_is_caught(self, seed):
        """
        Whichever single answer is taken away, the report misses it.
        """
        utterances, decisions, letters = reference_run(seed)
        turns = [record.json()["decision_id"] for record in decisions]
        single = [at for at, turn in enumerate(turns) if turns.count(turn) == 1][::40]

        for at in single:
            without = decisions[:at] + decisions[at + 1 :]
            assert check(utterances, without, letters).broken() == {"I1"}
        for at in range(0, len(letters), 5):
            without = letters[:at] + letters[at + 1 :]
            assert check(utterances, decisions, without).broken() == {"I1"}
