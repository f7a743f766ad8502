"""The demo's turns as events."""

import pytest

from tests.unit.workers.demo.factories import make_planned, make_prediction, make_turn
from topics.profile import Mode
from workers.demo.data import DemoAgent
from workers.demo.events import predictions, profile, utterance


class TestEvents:
    @pytest.mark.parametrize("mode", [Mode.LIVE, Mode.SHADOW])
    def test_profile(self, mode):
        """
        An agent's profile has its tenant and mode.
        """
        event = profile(DemoAgent(agent="bank", tenant="northbank", mode=str(mode)))

        assert (event.tenant_id, event.agent_id, event.match.mode) == ("northbank", "bank", mode)

    def test_utterance_and_predictions_belong_together(self):
        """
        Utterance and predictions of a turn name the same tenant, agent, call and number.
        """
        planned = make_planned(seq=3)

        said, expected = utterance(planned, 7), predictions(planned, 5)

        for event in (said, expected):
            assert (event.tenant_id, event.call_id, event.seq) == planned.key
            assert event.agent_id == planned.turn.agent
        assert (said.said_at_ms, expected.created_at_ms) == (7, 5)

    def test_replies(self):
        """
        Predictions of the same meaning share a reply, all others have their own.
        """
        kinds = [("p1", True), ("p2", True), ("p3", False), ("p4", False)]
        turn = make_turn(
            predictions=tuple(make_prediction(name, serve=serve) for name, serve in kinds)
        )

        event = predictions(make_planned(turn), 1)

        replies = [each.response_ref for each in event.predictions]
        assert replies[0] == replies[1]
        assert len(set(replies)) == 3

    def test_side_effect(self):
        """
        A prediction whose reply does something says so.
        """
        turn = make_turn(
            predictions=(
                make_prediction("p1", serve=False, kind="side_effect"),
                make_prediction("p2"),
            )
        )

        event = predictions(make_planned(turn), 1)

        assert [each.side_effect for each in event.predictions] == [True, False]
