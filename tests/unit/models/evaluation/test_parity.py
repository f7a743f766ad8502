"""What is measured is what the hot path does."""

import time

import pytest

from models.evaluation.pairs import decide_pairs
from models.evaluation.turns import Gate, decide_turns
from models.explain import explain
from tests.fakes.hot import Hot, make_utterance
from tests.fakes.models import FakeEncoder, FakeJudge
from tests.unit.models.evaluation.factories import make_pair, make_turn
from workers.hot.decide import decide, turn_keys
from workers.hot.receipt import Receipt
from workers.inference import Inference

LOGITS = {
    ("ok sure", "yes please"): 4.0,
    ("ok sure", "go ahead then"): 3.0,
    ("go ahead then", "ok sure"): 0.0,
    ("ok sure", "i think so"): 4.0,
    ("call at 5 pm", "call at 6 pm"): 9.0,
    ("haan ji", "हाँ जी"): 9.0,
}
TURNS: dict[str, tuple[str, list[str]]] = {
    "judged": ("ok sure", ["no way", "yes please"]),
    "second opinion": ("ok sure", ["go ahead then"]),
    "tie": ("ok sure", ["yes please", "i think so"]),
    "below": ("ok sure", ["no way"]),
    "exact": ("Yes please.", ["no way", "yes please"]),
    "value guard": ("call at 5 pm", ["call at 6 pm"]),
    "script guard": ("haan ji", ["हाँ जी"]),
    "fragment": ("I mean the", ["yes please"]),
    "empty": ("", ["yes please"]),
    "too long": ("word " * 999, ["yes please"]),
    "unusable prediction": ("ok sure", ["\u200b"]),
}


@pytest.mark.parametrize(("utterance", "predictions"), TURNS.values(), ids=TURNS)
async def test_a_turn_ends_as_in_the_worker(utterance, predictions):
    """
    The worker and the evaluation give a turn the same end for the same reason.
    """
    async with Inference(capacity=4) as inference:
        hot = Hot(inference)
        hot.judge = FakeJudge(LOGITS)
        hot.rewire()
        await hot.predict(*predictions)
        receipt = Receipt(at_ms=0, at_s=time.monotonic(), age_ms=0, skewed=False)
        said = make_utterance(text=utterance)
        decision = await decide(hot.gate, said, turn_keys(hot.gate, said), receipt)

    gate = Gate(encoder=FakeEncoder(), judge=FakeJudge(LOGITS), shortlist=20)
    (outcome,) = decide_turns([make_turn(utterance, [(text, 0) for text in predictions])], gate)

    served = None if outcome.served is None else predictions[outcome.served]
    assert (served, outcome.reason) == (decision.prediction_id, decision.reasons[0])


@pytest.mark.parametrize("name", sorted(TURNS.keys() - {"unusable prediction"}))
def test_a_pair_ends_as_it_is_explained(name):
    """
    A pair is served in an evaluation exactly when the explanation of it says so.
    """
    utterance, (prediction, *_) = TURNS[name]
    judge = FakeJudge(LOGITS)
    explained = explain(utterance, prediction, encoder=FakeEncoder(), judge=judge)

    decided = decide_pairs([make_pair(utterance, prediction)], judge, script_guard=True)

    assert bool(decided.served[0]) == explained.served
    reason = explained.guard if explained.guard and not explained.exact else explained.reason
    assert decided.reasons[0] == reason
