"""`turn.predictions` in: cleaned, encoded, and kept in Redis for the turn that they expect."""

import logging

import numpy as np
import numpy.typing as npt

from models.errors import InferenceError
from models.runtime import Cancel
from models.script import writing
from models.text import clean, match_key
from topics.codec import DecodeError, decode
from topics.prediction import Prediction, TurnPredictions
from workers import metrics
from workers.cached import CachedPrediction, CachedTurn, pack_turn
from workers.deadline import Deadline
from workers.errors import CacheUnavailable, TooLate
from workers.hot.dead_letters import DeadLetters
from workers.hot.decide import Gate
from workers.inference import Priority
from workers.stream.consume import Record

_log = logging.getLogger(__name__)

#: Texts of one inference: a turn that arrives meanwhile waits for no more than this many.
_CHUNK = 4
#: Predictions that are not encoded by then are dropped, seconds; their turn has come and gone.
_BUDGET_S = 5.0


class Predictions:
    """Handles the records of `turn.predictions`."""

    def __init__(self, gate: Gate, dead_letters: DeadLetters) -> None:
        self._gate = gate
        self._dead_letters = dead_letters

    async def handle(self, record: Record) -> None:
        """
        Keep the predictions of one record; what cannot be kept is counted, and its turn is a miss.

        Raises:
            BrokerUnavailable: a dead letter could not be stored; the record must not be committed.

        """
        try:
            event = decode(TurnPredictions, record.value)
        except DecodeError as error:
            await self._dead_letters.refuse(record, error)
            return
        try:
            outcome = await self._keep(event)
        except CacheUnavailable:
            outcome = "cache_unavailable"
        except TooLate:
            outcome = "late"
        except InferenceError:
            _log.exception("inference_failed")
            outcome = "inference_failed"
        metrics.PREDICTIONS.labels(outcome).inc(max(1, len(event.predictions)))

    async def _keep(self, event: TurnPredictions) -> str:
        predictions = tuple(kept for one in event.predictions if (kept := _cached(one)) is not None)
        vectors = await self._encode([prediction.text for prediction in predictions])
        key = self._gate.keys.predictions(
            event.tenant_id, event.call_id, event.seq, self._gate.models.encoder.fingerprint
        )
        turn = CachedTurn(
            key=key.decode(), created_at_ms=event.created_at_ms, predictions=predictions
        )
        newest = await self._gate.cache.keep_predictions(
            key,
            pack_turn(turn, vectors, self._gate.keys),
            created_at_ms=event.created_at_ms,
            ttl_ms=event.ttl_ms,
        )
        return "kept" if newest else "superseded"

    async def _encode(self, texts: list[str]) -> npt.NDArray[np.float32]:
        """Encode in small pieces, (N, D) float32, so that no turn waits for a whole batch."""
        encoder = self._gate.models.encoder
        deadline = Deadline.after(_BUDGET_S)
        parts = [np.empty((0, encoder.dimension), dtype=np.float32)]
        for start in range(0, len(texts), _CHUNK):
            chunk = texts[start : start + _CHUNK]

            def work(cancel: Cancel, chunk: list[str] = chunk) -> npt.NDArray[np.float32]:
                return encoder.encode(chunk, cancel=cancel)

            parts.append(
                await self._gate.inference.run(
                    work, deadline=deadline, priority=Priority.PREDICTION
                )
            )
        return np.concatenate(parts)


def _cached(prediction: Prediction) -> CachedPrediction | None:
    """Prepare a prediction; one that is empty or too long once cleaned can match nothing."""
    cleaned = clean(prediction.text)
    if cleaned.too_long or not cleaned.text:
        metrics.PREDICTIONS.labels("unusable").inc()
        return None
    return CachedPrediction(
        prediction_id=prediction.prediction_id,
        text=cleaned.text,
        match_key=match_key(cleaned.text),
        writing=writing(cleaned.text),
        response_ref=prediction.response_ref,
        response=prediction.response,
        side_effect=prediction.side_effect,
    )
