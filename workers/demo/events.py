"""The demo's turns as the events that an agent would publish."""

from topics.prediction import Prediction, TurnPredictions
from topics.profile import AgentProfile, MatchProfile, Mode
from topics.utterance import Utterance
from workers.demo.data import DemoAgent, DemoPrediction
from workers.demo.script import PlannedTurn


def profile(agent: DemoAgent) -> AgentProfile:
    """Make the profile of an agent."""
    return AgentProfile(
        tenant_id=agent.tenant,
        agent_id=agent.agent,
        version=1,
        match=MatchProfile(mode=Mode(agent.mode)),
    )


def predictions(planned: PlannedTurn, created_at_ms: int) -> TurnPredictions:
    """Make the predictions of one coming turn."""
    return TurnPredictions(
        tenant_id=planned.tenant,
        agent_id=planned.turn.agent,
        call_id=planned.call_id,
        seq=planned.seq,
        created_at_ms=created_at_ms,
        predictions=tuple(_prediction(planned, each) for each in planned.turn.predictions),
    )


def _prediction(planned: PlannedTurn, prediction: DemoPrediction) -> Prediction:
    # Predictions of the same meaning share a prepared reply, as an agent would have it.
    reply = "right" if prediction.serve else prediction.prediction_id.rpartition("/")[2]
    return Prediction(
        prediction_id=prediction.prediction_id,
        text=prediction.text,
        response_ref=f"replies/{planned.turn.turn_id}/{reply}.wav",
        side_effect=prediction.side_effect,
    )


def utterance(planned: PlannedTurn, said_at_ms: int) -> Utterance:
    """Make what the caller said."""
    return Utterance(
        tenant_id=planned.tenant,
        agent_id=planned.turn.agent,
        call_id=planned.call_id,
        seq=planned.seq,
        text=planned.turn.text,
        said_at_ms=said_at_ms,
    )
