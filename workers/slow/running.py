"""Model work of the slow path: off the event loop, without a deadline that anybody waits for."""

import asyncio
import logging
from collections.abc import Callable
from typing import TypeVar

from models.errors import InferenceError
from models.runtime import Cancel
from workers.deadline import Deadline
from workers.errors import TooLate
from workers.inference import Inference, Priority

_log = logging.getLogger(__name__)

T = TypeVar("T")

#: One run may wait and take this long before it is tried again, seconds.
_RUN_S = 120.0
#: Tries of a run that fails, and the pause before the next, seconds.
_TRIES = 3
_PAUSE_S = 0.5


async def run(inference: Inference, work: Callable[[Cancel], T]) -> T:
    """
    Run model work, and again where it fails.

    Raises:
        InferenceError: it failed each time.

    """
    tries_left = _TRIES
    while True:
        try:
            return await inference.run(
                work, deadline=Deadline.after(_RUN_S), priority=Priority.QUESTION
            )
        except TooLate:
            # Others have needed the executor all the time, or the worker stops and cancels us.
            await asyncio.sleep(_PAUSE_S)
        except InferenceError as error:
            tries_left -= 1
            _log.warning("slow_inference_failed", extra={"error": type(error).__name__})
            if not tries_left:
                raise
            await asyncio.sleep(_PAUSE_S)
