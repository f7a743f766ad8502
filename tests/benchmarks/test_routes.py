"""
What the router adds to a turn that the gate has not served: the whole step of the hot path, from
the gate's ending to the decision's fields, with the gate's vector at hand. Prints JSON.
"""

import time

import numpy as np
import pytest

from models.match import Scores
from models.router import Phrases, compile_router
from models.router.prototypes import unit
from models.screen import screen
from tests.benchmarks.machine import percentiles, report
from tests.fakes.hot import make_utterance
from tests.fakes.models import FakeEncoder
from topics.decision import Kind, Reason, Status
from topics.profile import AgentProfile, Intent, MatchProfile, Mode, RouterProfile
from workers.deadline import Deadline
from workers.hot.receipt import receive
from workers.hot.routes import Means, Route, add_route, route
from workers.hot.stopwatch import Stopwatch
from workers.hot.turn import Ending, Turn
from workers.inference import Inference

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(600)]

INTENTS, EXAMPLES, VALIDATION, OUTSIDE, WIDTH = 150, 10, 20, 200, 384
STEPS, WARM = 2_000, 200
#: How far phrases of one intent lie apart.
SPREAD = 0.04


class Invented:
    """Gives each text the vector that was made for it."""

    fingerprint = "invented"

    def __init__(self, random):
        self._random = random
        self._vectors = {}

    def phrases(self, name, middle, count):
        """Make up phrases around a vector, in words that read as English."""
        texts = [f"please tell me about the thing {name} {place}" for place in range(count)]
        rows = unit(middle + self._random.normal(0, SPREAD, (count, WIDTH)))
        self._vectors |= dict(zip(texts, rows, strict=True))
        return texts

    def encode(self, texts):
        """Look up."""
        return np.stack([self._vectors[text] for text in texts])


async def test_whole_step():
    """
    150 intents of 30 phrases; every turn is one that the router is sure of.
    """
    random = np.random.default_rng(0)
    middles = unit(random.normal(0, 1, (INTENTS, WIDTH)))
    ready = made_ready(middles, Invented(random), random)
    means = Means({("t", "live"): ready}, FakeEncoder(), Inference(capacity=1))
    said = screen("could you please tell me what time it is")
    vectors = unit(
        middles[random.integers(0, INTENTS, WARM + STEPS)]
        + random.normal(0, SPREAD, (WARM + STEPS, WIDTH))
    )

    times_ms, cpu_ms, routed = [], [], 0
    for step, vector in enumerate(vectors):
        turn = a_turn(ready.profile, said, vector)
        began_s, began_cpu_s = time.perf_counter(), time.thread_time()
        found = await route(turn, Ending(Kind.MISS, (Reason.BELOW_THRESHOLD,)), means)
        fields = add_route(gate_fields(), found)
        took_cpu_s, took_s = time.thread_time() - began_cpu_s, time.perf_counter() - began_s
        if step >= WARM:
            cpu_ms.append(took_cpu_s * 1e3)
            times_ms.append(took_s * 1e3)
            routed += fields["kind"] is Kind.ROUTE

    assert routed > STEPS * 0.9
    report(
        benchmark="route step of the hot path, the vector at hand",
        unit="ms",
        intents=INTENTS,
        phrases=INTENTS * (EXAMPLES + VALIDATION),
        routed=round(routed / STEPS, 3),
        times=times_ms,
        digits=4,
        # Without the waits for a core that a busy machine adds.
        cpu_time=percentiles(cpu_ms, 4),
    )


def made_ready(middles, invented, random):
    """Compile a router and put it in force."""
    phrases = Phrases(
        intents={
            f"i{n}": invented.phrases(f"e{n}", row, EXAMPLES) for n, row in enumerate(middles)
        },
        validation={
            f"i{n}": invented.phrases(f"v{n}", row, VALIDATION) for n, row in enumerate(middles)
        },
        out_of_scope=invented.phrases("o", unit(random.normal(0, 1, (1, WIDTH))), OUTSIDE),
    )
    intents = tuple(
        Intent(name=name, examples=tuple(texts), response="a prepared response")
        for name, texts in phrases.intents.items()
    )
    profile = AgentProfile(
        tenant_id="t",
        agent_id="live",
        version=1,
        match=MatchProfile(mode=Mode.LIVE),
        router=RouterProfile(mode=Mode.LIVE),
        intents=intents,
    )
    router = compile_router(phrases, invented).router
    return Route(profile, router, {intent.name: intent for intent in intents})


def a_turn(profile, said, vector):
    """Make a turn that the gate has scored and not served."""
    now_ms = int(time.time() * 1e3)
    receipt = receive(said_at_ms=now_ms, recorded_at_ms=now_ms, received_at_s=time.monotonic())
    turn = Turn(make_utterance(), receipt, Stopwatch())
    turn.profile, turn.screened, turn.deadline = profile, said, Deadline.after(10)
    turn.scores = Scores(order=(0,), cosines=(0.5,), query=vector)
    return turn


def gate_fields():
    """Make the fields of the gate's own decision."""
    return {
        "kind": Kind.MISS,
        "reasons": (Reason.BELOW_THRESHOLD,),
        "status": Status.OK,
        "thresholds": {"judge": 1.0},
        "bundles": {"encoder": "e", "judge": "j"},
    }
