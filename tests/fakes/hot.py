"""A hot worker of fakes, and factories for its events."""

import time
from typing import Any

from tests.fakes.cache import MemoryCache
from tests.fakes.models import FakeEncoder, FakeJudge
from tests.fakes.stream import MemoryPublisher, make_record
from topics.prediction import Prediction, TurnPredictions
from topics.profile import AgentProfile, MatchProfile, Mode
from topics.utterance import Utterance
from workers.hot.dead_letters import DeadLetters
from workers.hot.decide import Gate
from workers.hot.denials import Denials
from workers.hot.judges import Models
from workers.hot.predictions import Predictions
from workers.hot.utterances import Utterances
from workers.inference import Inference
from workers.keys import Keys

NEAR = (1.0, 0.0, 0.0, 0.0)


def make_utterance(**overrides) -> Utterance:
    """Make an utterance of an agent whose match gate is live."""
    fields: dict[str, Any] = {
        "tenant_id": "t",
        "agent_id": "live",
        "call_id": "c",
        "seq": 1,
        "text": "sure go ahead",
        "said_at_ms": int(time.time() * 1e3),
    } | overrides
    return Utterance(**fields)


def make_predictions(*texts: str, **overrides) -> TurnPredictions:
    """Make the predictions of that utterance's turn."""
    fields: dict[str, Any] = {
        "tenant_id": "t",
        "agent_id": "live",
        "call_id": "c",
        "seq": 1,
        "created_at_ms": 1,
        "predictions": tuple(
            Prediction(prediction_id=text[:200], text=text, response=f"reply to {text}")
            for text in texts
        ),
    } | overrides
    return TurnPredictions(**fields)


def make_profile(agent_id: str, mode: Mode, **overrides) -> AgentProfile:
    """Make a profile of tenant t."""
    return AgentProfile(
        tenant_id="t", agent_id=agent_id, version=3, match=MatchProfile(mode=mode, **overrides)
    )


class Hot:
    """All parts of a hot worker on fakes."""

    def __init__(self, inference: Inference) -> None:
        # Fakes have the interface that is used, not the types.
        self.encoder: Any = FakeEncoder()
        self.judge: Any = FakeJudge()
        self.cache: Any = MemoryCache()
        self.publisher: Any = MemoryPublisher()
        self.profiles = {("t", mode.value): make_profile(mode.value, mode) for mode in Mode}
        #: Routes that are ready, by (tenant, agent).
        self.routes: dict[tuple[str, str], Any] = {}
        self.inference = inference
        self.denials = Denials(lambda _record, _error: None)
        self.rewire()

    def rewire(self, *, judge: Any = "same", budget_ms: int = 10_000) -> None:
        """Build the worker's parts anew; a budget that no busy machine overruns by itself."""
        chosen = self.judge if judge == "same" else judge
        self.gate = Gate(
            models=Models(self.encoder, chosen),
            cache=self.cache,
            keys=Keys("s"),
            inference=self.inference,
            profiles=self.profiles,
            denials=self.denials,
            budget_ms=budget_ms,
            shortlist=20,
            routes=self.routes,
        )
        letters = DeadLetters(self.publisher, "")
        self.utterances = Utterances(self.gate, self.publisher, letters, "")
        self.predictions = Predictions(self.gate, letters)

    async def predict(self, *texts: str, **overrides) -> None:
        """Take in predictions."""
        event = make_predictions(*texts, **overrides)
        await self.predictions.handle(make_record(event, topic="turn.predictions"))
