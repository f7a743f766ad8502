"""A hot worker's parts, without services."""

import pytest

from tests.fakes.hot import Hot
from workers.inference import Inference


@pytest.fixture
async def hot():
    async with Inference(capacity=16) as inference:
        yield Hot(inference)
