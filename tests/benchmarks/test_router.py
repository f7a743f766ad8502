"""
The intent router: one route step after embedding, and one embedding; both print JSON.

The encoders take turns within one run, so that their ratio holds on a busy machine too. The English
references need the extra `reference`, PyTorch the extra `train`; what is missing is left out.
"""

import time

import numpy as np
import pytest
from tokenizers import Tokenizer

from models.encoder import PREFIX, Encoder
from models.evaluation.router.reference import REFERENCES, ReferenceEncoder, ReferenceMissing
from models.router import Gate, Options, Phrases, compile_router
from models.router.prototypes import unit
from tests.benchmarks.machine import percentile, report
from workers.settings import Settings

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(600)]

INTENTS, EXAMPLES, VALIDATION, OUTSIDE, WIDTH = 150, 10, 20, 200, 384
STEPS, RUNS, WARM = 5000, 200, 20
#: Twelve tokens for the English references, begin and end among them.
TEXT = "could you please tell me when my new card arrives"
#: Tokens that our encoder reads of it, with its prefix.
TOKENS = 16


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


@pytest.mark.parametrize("gate", list(Gate))
def test_route_step(gate):
    """
    Time of one decision about a vector, of 150 intents with 30 phrases each.
    """
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
    vectors = unit(middles[random.integers(0, INTENTS, STEPS)] + random.normal(0, 0.04, WIDTH))

    times_ms, cpu_ms = [], []
    for vector in vectors:
        began_s, began_cpu_s = time.perf_counter(), time.thread_time()
        router.route(vector)
        cpu_ms.append((time.thread_time() - began_cpu_s) * 1e3)
        times_ms.append((time.perf_counter() - began_s) * 1e3)

    assert len(router.names) == INTENTS
    report(
        benchmark=f"route step, {gate} gate",
        unit="ms",
        intents=INTENTS,
        p50=round(percentile(times_ms, 0.5), 4),
        p95=round(percentile(times_ms, 0.95), 4),
        p99=round(percentile(times_ms, 0.99), 4),
        # Without the waits for a core that a busy machine adds.
        cpu_p50=round(percentile(cpu_ms, 0.5), 4),
        cpu_p99=round(percentile(cpu_ms, 0.99), 4),
        compile_s=round(compile_s, 1),
    )


def test_embedding():
    """
    Time of one utterance of 12 tokens on one thread: ours, PyTorch fp32 of the same shape, and the
    English references.
    """
    run = {"bundle": _bundle()} | _torch() | _references()
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
        p50={name: round(value, 2) for name, value in p50.items()},
        p95={name: round(percentile(times, 0.95), 2) for name, times in times_ms.items()},
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
    found = {}
    for name in REFERENCES:
        try:
            encoder = ReferenceEncoder.load(name)
        except ReferenceMissing:
            continue
        found[name] = lambda encoder=encoder: encoder.encode([TEXT])
    return found


def _torch():
    """The bundle's network in PyTorch; its weights are random, for they do not change the time."""
    try:
        import torch  # noqa: PLC0415
    except ImportError:
        return {}
    from models.pipeline.network import BertEncoder, NetworkConfig  # noqa: PLC0415

    torch.set_num_threads(1)
    network = BertEncoder(NetworkConfig(vocabulary=55_000)).eval()
    ids = torch.randint(10, 50_000, (1, TOKENS))
    mask = torch.ones_like(ids)

    def encode():
        with torch.inference_mode():
            network(ids, mask)

    return {"torch fp32": encode}
