"""The knowledge-base parts of a worker, without services."""

import pytest

from tests.fakes.kb import Knowledge
from workers.inference import Inference


@pytest.fixture
async def kb():
    async with Inference(capacity=64) as inference:
        yield Knowledge(inference)
