"""
The intent router: one route step after embedding, and one embedding; each prints a row of JSON.

What takes turns within one run has ratios that hold on a busy machine too. An embedding beside
others needs the extras `reference` and `train`; without them it is skipped.
"""

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from tokenizers import Tokenizer

from models.encoder import PREFIX, Encoder
from models.evaluation.router.reference import REFERENCES, ReferenceEncoder, ReferenceMissing
from models.router import Gate, Options, Phrases, Router, compile_router
from models.router.prototypes import unit
from tests.benchmarks.machine import percentile, percentiles, report
from workers.deadline import Deadline
from workers.inference import Inference, Priority
from workers.settings import Settings

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(600)]

INTENTS, EXAMPLES, VALIDATION, OUTSIDE, WIDTH = 150, 10, 20, 200, 384
STEPS, RUNS, WARM = 5000, 200, 20
#: Route steps with an embedding before each.
AFTER = 500
#: Twelve tokens for the English references, begin and end among them.
TEXT = "could you please tell me when my new card arrives"
#: Tokens that our encoder reads of it, with its prefix.
TOKENS = 16
#: Least cosine of a bundle's vector to that of the same weights with activations of full width.
SAME = 0.99


class Invented:
    """Gives each text the vector that was made for it."""

    fingerprint = "invented"

    def __init__(self):
        self.vectors = {}

    def phrases(self, name, middle, count, random):
        """Make up phrases around a vector."""
        rows = unit(middle + random.normal(0, 0.04, (count, WIDTH)))
        texts = [f"{name} {place}" for place in range(count)]
        self.vectors |= dict(zip(texts, rows, strict=True))
        return texts

    def encode(self, texts):
        """Look up."""
        return np.stack([self.vectors[text] for text in texts])


class Made(NamedTuple):
    """A router of 150 intents with 30 phrases each, and what callers say."""

    router: Router
    said: np.ndarray
    compile_s: float


def made(gate: Gate) -> Made:
    """Compile a router."""
    random = np.random.default_rng(0)
    middles = unit(random.normal(0, 1, (INTENTS, WIDTH)))
    invented = Invented()
    phrases = Phrases(
        intents={
            f"i{n}": invented.phrases(f"e{n}", row, EXAMPLES, random)
            for n, row in enumerate(middles)
        },
        validation={
            f"i{n}": invented.phrases(f"v{n}", row, VALIDATION, random)
            for n, row in enumerate(middles)
        },
        out_of_scope=invented.phrases("o", unit(random.normal(0, 1, (1, WIDTH))), OUTSIDE, random),
    )
    began_s = time.perf_counter()
    router = compile_router(phrases, invented, Options(gate=gate)).router
    compile_s = time.perf_counter() - began_s
    assert len(router.names) == INTENTS
    noise = random.normal(0, 0.04, (STEPS, WIDTH))
    return Made(router, unit(middles[random.integers(0, INTENTS, STEPS)] + noise), compile_s)


class Times:
    """Milliseconds of one step, by the clock and of its own computing."""

    def __init__(self):
        self.wall_ms, self.cpu_ms = [], []

    def take(self, step: Callable[[], Any]) -> None:
        """Take the time of one step."""
        began_s, began_cpu_s = time.perf_counter(), time.thread_time()
        step()
        took_cpu_s, took_s = time.thread_time() - began_cpu_s, time.perf_counter() - began_s
        self.cpu_ms.append(took_cpu_s * 1e3)
        self.wall_ms.append(took_s * 1e3)

    def row(self) -> dict[str, Any]:
        """For a report; its own computing is without the waits for a core."""
        return {"times": self.wall_ms, "digits": 4, "cpu_time": percentiles(self.cpu_ms, 4)}


@pytest.mark.parametrize("gate", list(Gate))
def test_route_step(gate):
    """
    Time of one decision about a vector, one after the other, so with everything in the caches.
    """
    router, said, compile_s = made(gate)
    times = Times()

    for vector in said:
        times.take(lambda vector=vector: router.route(vector))

    report(
        benchmark=f"route step, {gate} gate",
        unit="ms",
        intents=INTENTS,
        **times.row(),
        compile_s=round(compile_s, 1),
    )


def test_route_step_after_an_embedding():
    """
    Time of one decision right after a text was encoded by the same thread, which leaves nothing in
    its core's caches: the encoder's weights are twenty times what the fast ones hold.
    """
    router, said, _ = made(Gate.DEFAULT)
    encoder = Encoder.load(Settings().encoder)
    times = Times()

    for vector in said[:AFTER]:
        encoder.encode([TEXT])
        times.take(lambda vector=vector: router.route(vector))

    report(
        benchmark="route step right after an embedding, default gate",
        unit="ms",
        intents=INTENTS,
        **times.row(),
    )


async def test_route_step_in_the_order_of_a_worker():
    """
    Time of one decision on the event loop, after the executor's thread has encoded the text.
    """
    router, said, _ = made(Gate.DEFAULT)
    encoder = Encoder.load(Settings().encoder)
    times = Times()

    async with Inference(capacity=1) as inference:
        for vector in said[:AFTER]:
            await inference.run(
                lambda cancel: encoder.encode([TEXT], cancel),
                deadline=Deadline.after(10),
                priority=Priority.TURN,
            )
            times.take(lambda vector=vector: router.route(vector))

    report(
        benchmark="route step in the order of a worker, default gate",
        unit="ms",
        intents=INTENTS,
        **times.row(),
    )


def test_embedding():
    """
    Time of one utterance of 12 tokens on one thread: ours, PyTorch fp32 of the same encoder, and
    the English references; all in one run, so that their ratios hold.
    """
    run = {"bundle": _bundle(), "torch fp32": _torch()} | _references()
    times_ms = {name: [] for name in run}

    for step in range(RUNS + WARM):
        for name, encode in run.items():
            began_s = time.perf_counter()
            encode()
            if step >= WARM:
                times_ms[name].append((time.perf_counter() - began_s) * 1e3)

    p50 = {name: percentile(times, 0.5) for name, times in times_ms.items()}
    assert all(value > 0 for value in p50.values())
    report(
        benchmark="embedding of one utterance of 12 tokens, one thread",
        unit="ms",
        our_tokens=TOKENS,
        times=times_ms["bundle"],
        others={name: percentiles(times) for name, times in times_ms.items() if name != "bundle"},
        times_of_bundle={name: round(value / p50["bundle"], 2) for name, value in p50.items()},
    )


def _bundle():
    folder = Settings().encoder
    encoder = Encoder.load(folder)
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    pieces = tokenizer.encode(PREFIX + TEXT, add_special_tokens=False).ids
    assert len(pieces) + 2 == TOKENS
    return lambda: encoder.encode([TEXT])


def _references():
    try:
        encoders = {name: ReferenceEncoder.load(name) for name in REFERENCES}
    except ReferenceMissing as missing:
        pytest.skip(str(missing))
    return {
        name: lambda encoder=encoder: encoder.encode([TEXT]) for name, encoder in encoders.items()
    }


def _torch():
    """The bundle's own network; that it is the same is seen by its vector."""
    for module in ("torch", "onnx"):
        pytest.importorskip(module, reason=f"{module} is not installed: it is of the extra `train`")
    from tests.benchmarks.torch_encoder import torch_encoder  # noqa: PLC0415

    folder = Settings().encoder
    encode = torch_encoder(folder)
    assert encode(TEXT) @ Encoder.load(folder).encode([TEXT])[0] > SAME
    return lambda: encode(TEXT)
