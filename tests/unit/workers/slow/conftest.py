"""The executor that the slow path runs its models in."""

from collections.abc import AsyncIterator

import pytest

from workers.inference import Inference


@pytest.fixture
async def inference() -> AsyncIterator[Inference]:
    """Run model work in a thread for the time of a test."""
    async with Inference(capacity=64) as executor:
        yield executor
