"""Memory of the hot worker over many decisions of mixed length."""

import os
import random

import pytest

from models import match
from models.screen import screen
from models.script import writing
from models.text import match_key
from tests.benchmarks.machine import report
from tests.faults.process import resident_mib
from workers.hot.judges import load_models
from workers.settings import Settings

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(7_200)]

#: Decisions; each encodes one utterance and judges two pairs, so that all buckets are visited.
DECISIONS = 100_000
_WORDS = (
    *("yes", "no", "call", "me", "back", "tomorrow", "please", "price", "how", "much"),
    *("हाँ", "नहीं", "कल", "ठीक", "कितना", "haan", "nahi", "kal"),
    *("نعم", "لا", "بكرة", "كام"),
)


def test_memory_is_flat():
    """
    Resident memory after the first thousand decisions and after all of them.
    """
    settings = Settings()
    models = load_models(settings.encoder, settings.judge, threads=1)
    chosen = random.Random(5)  # noqa: S311
    samples = {}
    for number in range(DECISIONS + 1):
        said = " ".join(chosen.choices(_WORDS, k=chosen.choice((1, 2, 3, 5, 8, 13, 30))))
        texts = [" ".join(chosen.choices(_WORDS, k=chosen.choice((1, 3, 6, 12)))) for _ in range(2)]
        options = [
            match.Option(prediction_id=text, text=text, key=match_key(text), writing=writing(text))
            for text in texts
        ]
        match.score(
            screen(said).text,
            options,
            models.encoder.encode(texts),
            [0, 1],
            encoder=models.encoder,
            judge=models.judge,
            shortlist=20,
        )
        if number in (1_000, 10_000, 50_000, DECISIONS):
            samples[number] = round(resident_mib(os.getpid()), 1)

    assert len(samples) == 4
    report(benchmark="memory", unit="MiB", resident=samples)
