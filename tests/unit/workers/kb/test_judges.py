"""Judges: one interface, whoever judges, and the same outcomes."""

import asyncio
import shutil
import time
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import REGISTRY

from models.kb import THRESHOLD, Shown
from models.kb.answer import AnswerModel
from tests.fakes.kb import OTHER, WHOLE, FakeAnswerModel
from workers import metrics
from workers.deadline import Deadline
from workers.errors import TooLate
from workers.inference import Priority
from workers.kb.judges import NoJudge, OnnxJudge, Opinion, RemoteJudge, load_model
from workers.system_one import Failure, JudgeUnavailable

TINY = Path(__file__).parents[2] / "models" / "fixtures" / "answer"
LATER = Deadline.after(3_600)


def shown(content):
    return Shown(title="", content=content, category=None, lang=None)


def degraded() -> float:
    return metrics.DEGRADED.labels("answer_judge")._value.get()


class FakeSystemOne:
    """Answers like the client of a remote judge."""

    def __init__(self) -> None:
        self.error: Exception | None = None
        self.deadlines: list[Deadline] = []

    async def judge(self, question, entries, deadline):
        """Give the answer to each entry that says so."""
        self.deadlines.append(deadline)
        assert question == "q"
        if self.error is not None:
            raise self.error
        return tuple(WHOLE if one.content == "whole" else OTHER for one in entries)


@pytest.fixture(params=["onnx", "remote"])
def judge_and_breaker(request, kb) -> Any:
    """Give a judge, and a function that makes it fail."""
    if request.param == "onnx":
        kb.model.known = {"whole": WHOLE}
        return OnnxJudge(kb.model, kb.inference), lambda: setattr(kb.model, "failing", True)
    remote: Any = FakeSystemOne()
    judge = RemoteJudge(remote, model="clef", threshold=0.4)
    return judge, lambda: setattr(remote, "error", JudgeUnavailable(Failure.BROKEN))


class TestAny:
    async def test_judges_in_order(self, judge_and_breaker):
        """
        One tuple for each candidate, in their order.
        """
        judge, _ = judge_and_breaker

        opinion = await judge.judge("q", [shown("x"), shown("whole"), shown("x")], LATER)

        assert opinion == Opinion((OTHER, WHOLE, OTHER))
        assert degraded() == 0

    async def test_nothing(self, judge_and_breaker):
        """
        No candidates are no levels.
        """
        judge, _ = judge_and_breaker

        assert await judge.judge("q", [], LATER) == Opinion()

    async def test_fails(self, judge_and_breaker):
        """
        A judge that breaks down says so and nothing else, visibly.
        """
        judge, break_it = judge_and_breaker
        break_it()

        assert await judge.judge("q", [shown("whole")], LATER) == Opinion(failed=True)
        assert degraded() == 1

    async def test_has_a_name_and_a_threshold(self, judge_and_breaker):
        """
        A verdict can say who judged and at which threshold.
        """
        judge, _ = judge_and_breaker

        assert (judge.name, judge.threshold) in {("onnx:answer-1", 0.5), ("system_one:clef", 0.4)}


class TestOnnx:
    async def test_late_candidates_are_left_out(self, kb):
        """
        At the deadline the best candidates are judged, and the run that is under way is stopped.
        """
        kb.model.slow_s = {"slow": 60}
        judge = OnnxJudge(kb.model, kb.inference)

        opinion = await judge.judge("q", [shown("x")] * 2 + [shown("slow")], Deadline.after(1))

        assert opinion == Opinion((OTHER, OTHER))
        assert await kb.inference.run(lambda _: 1, deadline=LATER, priority=Priority.TURN) == 1

    async def test_one_question_after_the_other(self, kb):
        """
        Under load the first questions are judged whole, instead of all in parts.
        """
        judge = OnnxJudge(kb.model, kb.inference)
        entries = [shown("x")] * 6

        await asyncio.gather(*(judge.judge(name, entries, LATER) for name in ("q1", "q2", "q3")))

        names = [name for name, _ in kb.model.asked]
        assert names == sorted(names)

    async def test_waiting_for_another_question_counts(self, kb):
        """
        A question behind a slow one gives up at its own deadline.
        """
        kb.model.slow_s = {"slow": 60}
        judge = OnnxJudge(kb.model, kb.inference)
        first = asyncio.create_task(judge.judge("q", [shown("slow")], Deadline.after(2)))
        await asyncio.sleep(0)
        started = time.monotonic()

        assert await judge.judge("q", [shown("x")], Deadline.after(0.05)) == Opinion()

        assert time.monotonic() - started < 1.5
        assert await first == Opinion()

    async def test_a_deadline_that_has_passed(self, kb):
        """
        Nothing is begun when nobody waits any more.
        """
        opinion = await OnnxJudge(kb.model, kb.inference).judge(
            "q", [shown("x")], Deadline.after(-1)
        )

        assert opinion == Opinion()
        assert kb.model.asked == []

    async def test_a_real_bundle(self, kb):
        """
        A bundle judges through the same interface.
        """
        judge = OnnxJudge(AnswerModel.load(TINY), kb.inference)

        opinion = await judge.judge("when", [shown("the whole"), shown("near")], LATER)

        assert [max(range(4), key=one.__getitem__) for one in opinion.judged] == [3, 1]


class TestRemote:
    async def test_too_late(self):
        """
        A late answer is none: nothing was judged, and nothing failed.
        """
        remote: Any = FakeSystemOne()
        remote.error = TooLate()

        opinion = await RemoteJudge(remote, model="m", threshold=0.5).judge(
            "q", [shown("x")], LATER
        )

        assert opinion == Opinion()

    async def test_gets_the_deadline(self):
        """
        The client has all of the time that is left, and no more.
        """
        remote: Any = FakeSystemOne()

        await RemoteJudge(remote, model="m", threshold=0.5).judge("q", [shown("x")], LATER)

        assert remote.deadlines == [LATER]


class TestNobody:
    async def test_every_question_fails(self):
        """
        Without a judge there is an opinion too: that there is none.
        """
        judge = NoJudge()

        assert await judge.judge("q", [shown("x")], LATER) == Opinion(failed=True)
        assert (judge.name, judge.threshold) == (None, THRESHOLD)


class TestLoad:
    def test_a_good_bundle(self):
        """
        It is loaded, proved and warm.
        """
        model = load_model(TINY, threads=1)

        assert model is not None
        assert degraded() == 0

    def test_the_metric_shows_files_and_numbers(self):
        """
        A threshold that was changed and sealed again has another seal beside the same fingerprint.
        """
        model = load_model(TINY, threads=1)

        assert model is not None
        manifest = model.manifest
        labels = {"kind": "answer", "fingerprint": manifest.fingerprint, "seal": manifest.seal}
        assert REGISTRY.get_sample_value("turngate_bundle_info", labels) == 1

    @pytest.mark.parametrize("fault", ["absent", "bit", "other kind", "not signed"])
    def test_what_cannot_be_used(self, tmp_path, caplog, monkeypatch, fault):
        """
        A bundle that is absent, broken, of another kind or not signed where it must be is no crash
        but a degraded component.
        """
        if fault == "not signed":
            monkeypatch.setattr("models.signature._policy.key", b"a key of sixteen")
        folder = tmp_path / "answer"
        if fault != "absent":
            shutil.copytree(TINY.parent / "judge" if fault == "other kind" else TINY, folder)
        if fault == "bit":
            raw = bytearray((folder / "model.onnx").read_bytes())
            raw[100] ^= 1
            (folder / "model.onnx").write_bytes(raw)

        assert load_model(folder, threads=1) is None
        assert degraded() == 1
        assert "answer_judge_degraded" in caplog.text


async def test_fakes_have_the_interface():
    """The fake model takes what the real one takes."""
    assert FakeAnswerModel().judge("q", [shown("x")], None) == (OTHER,)
