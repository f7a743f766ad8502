"""
Tells a broker that is away from one that has nothing to say.

aiokafka's consumer waits for a broker that is gone and says nothing of it. But a broker that is
there answers each fetch, also with nothing, so a long silence is a broker that is away, or a
consumer that died without a word.
"""

import asyncio
import logging
import time
from collections.abc import Callable

from aiokafka import AIOKafkaConsumer

_log = logging.getLogger(__name__)

#: Nothing may stand still for longer, seconds: far beyond any healthy wait, and well before the
#: watchdog ends a process, so that others stop counting on it first.
STALL_S = 15.0
#: How often a silence is looked for, seconds.
_LOOK_S = 1.0
#: How many looks in a row must find it: a process that was frozen as a whole finds everything old
#: when it goes on, and needs a moment to hear the next answer.
_LOOKS_IN_A_ROW = 3


class Silence:
    """How long the broker has not answered, on a clock that nobody sets."""

    def __init__(self) -> None:
        self._heard_s = time.monotonic()
        self._newest_ms = 0

    @property
    def age_s(self) -> float:
        """Time since the last answer, or since the beginning where there was none, seconds."""
        return time.monotonic() - self._heard_s

    def heard(self) -> None:
        """Note an answer of the broker."""
        self._heard_s = time.monotonic()

    def listen(self, consumer: AIOKafkaConsumer) -> None:
        """Look whether the broker has answered a fetch of any partition since the last look."""
        answers = (consumer.last_poll_timestamp(each) or 0 for each in consumer.assignment())
        newest_ms = max(answers, default=0)
        if newest_ms not in (0, self._newest_ms):
            self._newest_ms = newest_ms
            self.heard()


class Onset:
    """Notices that a silence has become too long, once for each."""

    def __init__(self) -> None:
        self._looks = 0

    @property
    def lasts(self) -> bool:
        """Whether it was noticed and is not over."""
        return self._looks >= _LOOKS_IN_A_ROW

    def look(self, age_s: float | None) -> bool:
        """Tell whether this look is the one that makes it too long."""
        self._looks = self._looks + 1 if age_s is not None and age_s >= STALL_S else 0
        return self._looks == _LOOKS_IN_A_ROW


async def tell_silence(age_s: Callable[[], float | None], *, every_s: float = _LOOK_S) -> None:
    """
    Log once when the broker has been silent for too long, and once when it is not; runs for ever.

    Args:
        age_s: time since its last answer, seconds; None where nothing is asked.
        every_s: how often to look, seconds.

    """
    onset = Onset()
    while True:
        lasted = onset.lasts
        if onset.look(age_s()):
            _log.error("broker_silent", extra={"for_s": STALL_S})
        elif lasted and not onset.lasts:
            _log.info("broker_answers")
        await asyncio.sleep(every_s)
