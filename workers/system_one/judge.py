"""
A remote answer judge: what the caller asked and some entries in, level probabilities out.

One call for all candidates, one wall-clock deadline around all of it, and nothing twice: whatever
goes wrong is an error with a name, and the caller falls back to search order.
"""

import asyncio
import logging
import re
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from workers import metrics
from workers.background import beside
from workers.deadline import Deadline
from workers.errors import TooLate
from workers.system_one.answer import Answer, Probabilities, read_answer
from workers.system_one.endpoint import Endpoint
from workers.system_one.errors import JudgeUnavailable
from workers.system_one.exchange import WARM_CONNECTIONS, Exchange, open_exchange
from workers.system_one.request import Candidate, Request, encode_request

_log = logging.getLogger(__name__)

#: Limit on warming, which nobody waits for, seconds.
_WARM_LIMIT_S = 5.0
#: Names of answering models that are logged, at most; a server may make up one a call.
_MAX_MODELS = 8
_MODEL_NAME = re.compile(r"[A-Za-z0-9@][A-Za-z0-9_.:/@-]{0,99}")


class SystemOneJudge:
    """An endpoint as a judge; build one with `connect`."""

    def __init__(self, exchange: Exchange, endpoint: Endpoint) -> None:
        self._exchange = exchange
        self._endpoint = endpoint
        self._news = _News(endpoint)

    async def judge(
        self, question: str, candidates: Sequence[Candidate], deadline: Deadline
    ) -> tuple[Probabilities, ...]:
        """
        Judge the candidates, all of them in one call; being cancelled ends the call.

        Args:
            question: what the caller asked.
            candidates: at most `request.MAX_CANDIDATES`; none asks nobody.
            deadline: when the answer is worth nothing any more.

        Returns:
            Probabilities of the four levels, one tuple for each candidate, in their order.

        Raises:
            TooLate: the deadline passed first.
            JudgeUnavailable: the endpoint failed; `failure` says how.
            ValueError: too many candidates.

        """
        if not candidates:
            return ()
        started = time.monotonic()
        limit = Deadline.after(min(deadline.left_s(), self._endpoint.timeout_s))
        request = encode_request(self._endpoint.model, question, candidates)
        outcome = "cancelled"
        try:
            answer = await self._ask(request, limit)
            outcome = "answered"
        except TooLate:
            outcome = "late"
            raise
        except JudgeUnavailable as error:
            outcome = error.failure.value
            raise
        finally:
            metrics.SYSTEM_ONE_SECONDS.labels(outcome).observe(time.monotonic() - started)
            self._news.outcome(outcome)
        self._news.model(answer.model, request.body)
        return answer.probabilities

    async def warm(self) -> None:
        """Use some connections, or make them; a failure is left to the call that it would hit."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_WARM_LIMIT_S):
                await asyncio.gather(*(self._touch() for _ in range(WARM_CONNECTIONS)))

    async def _ask(self, request: Request, limit: Deadline) -> Answer:
        limit.check()
        raw = await self._exchanged(request.body, limit)
        answer = read_answer(raw, ids=request.ids, envelope=self._endpoint.envelope)
        limit.check()
        return answer

    async def _exchanged(self, body: bytes, limit: Deadline) -> bytes:
        try:
            async with asyncio.timeout(limit.left_s()):
                return await self._exchange.post(body)
        except TimeoutError:
            pass  # raised outside, so that nothing of the library's is chained
        raise TooLate

    async def _touch(self) -> None:
        with suppress(JudgeUnavailable):
            await self._exchange.touch()


@asynccontextmanager
async def connect(endpoint: Endpoint) -> AsyncIterator[SystemOneJudge]:
    """Open the connections and keep them warm; the endpoint need not be up."""
    async with open_exchange(endpoint) as exchange:
        judge = SystemOneJudge(exchange, endpoint)
        if not endpoint.warm_s:
            yield judge
            return
        async with beside(_keep_warm(judge, endpoint.warm_s), name="system-one-warm"):
            yield judge


async def _keep_warm(judge: SystemOneJudge, every_s: float) -> None:
    while True:
        await judge.warm()
        await asyncio.sleep(every_s)


@dataclass(slots=True)
class _News:
    """Logs what is new, so that a broken endpoint does not write a line a call."""

    endpoint: Endpoint
    _last: str = "answered"
    _models: set[str] = field(default_factory=set)

    def outcome(self, outcome: str) -> None:
        if outcome in {self._last, "cancelled"}:
            return
        self._last = outcome
        if outcome == "answered":
            _log.info("system_one_recovered")
        else:
            _log.warning("system_one_failing", extra={"outcome": outcome})

    def model(self, name: str, sent: bytes) -> None:
        """Log a model that has not answered before, unless its name could be what we sent."""
        if name in self._models or len(self._models) >= _MAX_MODELS:
            return
        self._models.add(name)
        shown = name if name == self.endpoint.model or self._is_safe(name, sent) else "unnamed"
        _log.info("system_one_model", extra={"asked": self.endpoint.model, "answered": shown})

    def _is_safe(self, name: str, sent: bytes) -> bool:
        key = self.endpoint.key.reveal()
        return (
            _MODEL_NAME.fullmatch(name) is not None
            and name.encode() not in sent
            and not (key and (key in name or name in key))
        )
