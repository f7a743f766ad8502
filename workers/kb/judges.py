"""
Who judges the candidates of a question: the bundle in this process, an endpoint, or nobody.

All have one interface, and whatever happens to them is an opinion too: what was judged in time, or
that the judge failed. So a verdict has the same statuses whoever judges.
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from models.errors import InferenceError, ModelError
from models.kb import THRESHOLD, Probabilities, Shown
from models.kb.answer import AnswerModel
from models.runtime import Cancel
from workers import metrics
from workers.deadline import Deadline
from workers.errors import TooLate
from workers.inference import Inference, Priority
from workers.system_one import JudgeUnavailable, SystemOneJudge

_log = logging.getLogger(__name__)

#: Candidates of one inference. A turn that arrives meanwhile waits for no more than these, and at
#: the deadline no more than these are lost.
BATCH = 2
#: Name of the judge among the components that can be degraded.
COMPONENT = "answer_judge"


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a judge said of some candidates until its deadline."""

    #: In the order of the candidates; None, or nothing at the end, for what was not judged.
    judged: tuple[Probabilities | None, ...] = ()
    #: The judge broke down; what it said before does not count.
    failed: bool = False


class AnswerJudge(Protocol):
    """Says which of some candidates answer a question."""

    @property
    def name(self) -> str | None:
        """What judges, for the verdict; None where nobody does."""

    @property
    def threshold(self) -> float:
        """Probability of at least a part of the answer from which an entry answers."""

    async def judge(self, question: str, entries: Sequence[Shown], deadline: Deadline) -> Opinion:
        """
        Judge candidates until the deadline; raises nothing but what is a fault of this code.

        Args:
            question: what the caller asked, cleaned.
            entries: what may be shown of the candidates, in search order.
            deadline: what is not judged by then is late.
        """


class OnnxJudge:
    """The bundle in this process; judges a few candidates at a time, the best ones first."""

    def __init__(self, model: AnswerModel, inference: Inference) -> None:
        self._model = model
        self._inference = inference
        self._health = _Health()
        #: One question after the other: all at once would all be late together.
        self._in_turn = asyncio.Lock()

    @property
    def name(self) -> str:
        """`onnx:` and the beginning of the bundle's fingerprint."""
        return f"onnx:{self._model.fingerprint[:16]}"

    @property
    def threshold(self) -> float:
        """The bundle's."""
        return self._model.threshold

    async def judge(self, question: str, entries: Sequence[Shown], deadline: Deadline) -> Opinion:
        """Judge candidates as `AnswerJudge` says."""
        judged: list[Probabilities | None] = []
        try:
            async with asyncio.timeout(deadline.left_s()), self._in_turn:
                for start in range(0, len(entries), BATCH):
                    judged += await self._batch(question, entries[start : start + BATCH], deadline)
        except (TimeoutError, TooLate):
            return Opinion(tuple(judged))
        except InferenceError as error:
            self._health.failed(type(error).__name__)
            return Opinion(failed=True)
        self._health.well()
        return Opinion(tuple(judged))

    async def _batch(
        self, question: str, entries: Sequence[Shown], deadline: Deadline
    ) -> tuple[Probabilities | None, ...]:
        def work(cancel: Cancel) -> tuple[Probabilities | None, ...]:
            return self._model.judge(question, entries, cancel)

        return await self._inference.run(work, deadline=deadline, priority=Priority.QUESTION)


class RemoteJudge:
    """A System One endpoint; judges all candidates in one call, or none."""

    def __init__(self, judge: SystemOneJudge, *, model: str, threshold: float) -> None:
        self._judge = judge
        self._model = model
        self._threshold = threshold
        self._health = _Health()

    @property
    def name(self) -> str:
        """`system_one:` and the model that is asked for."""
        return f"system_one:{self._model}"

    @property
    def threshold(self) -> float:
        """The setting's."""
        return self._threshold

    async def judge(self, question: str, entries: Sequence[Shown], deadline: Deadline) -> Opinion:
        """Judge candidates as `AnswerJudge` says."""
        try:
            judged = await self._judge.judge(question, entries, deadline)
        except TooLate:
            return Opinion()
        except JudgeUnavailable as error:
            self._health.failed(error.failure)
            return Opinion(failed=True)
        self._health.well()
        return Opinion(judged)


class NoJudge:
    """Stands in where no judge could be loaded: every question is one that the judge failed."""

    name = None
    threshold = THRESHOLD

    async def judge(self, question: str, entries: Sequence[Shown], deadline: Deadline) -> Opinion:
        """Judge nothing."""
        _ = question, entries, deadline
        return Opinion(failed=True)


def load_model(folder: Path, *, threads: int) -> AnswerModel | None:
    """Load, prove and warm the bundle; None, loudly, where it cannot be used."""
    health = _Health()
    try:
        model = AnswerModel.load(folder, threads=threads)
        model.prove()
        model.warm()
    except ModelError as error:
        # A model error names parts of the bundle, never a caller's text.
        health.failed(str(error))
        return None
    health.well()
    metrics.BUNDLE_INFO.labels("answer", model.fingerprint, model.manifest.seal).set(1)
    return model


class _Health:
    """Makes it visible that questions get search order; a line in the log only where it changes."""

    def __init__(self) -> None:
        self._failing = False

    def failed(self, why: str) -> None:
        """Note a failure; `why` holds no text of a caller."""
        metrics.DEGRADED.labels(COMPONENT).set(1)
        if not self._failing:
            _log.error("answer_judge_degraded", extra={"why": why})
        self._failing = True

    def well(self) -> None:
        """Note a success."""
        metrics.DEGRADED.labels(COMPONENT).set(0)
        if self._failing:
            _log.info("answer_judge_recovered")
        self._failing = False
