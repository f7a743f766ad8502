"""Whether this process stood still."""

import time

import pytest

from workers.slow import pulse as module
from workers.slow.errors import OwnershipLost
from workers.slow.pulse import Pulse


def test_standstill_forbids_storing_for_good(monkeypatch):
    """After a standstill as long as others wait, nothing may be stored, whoever looks first."""
    now_s = time.monotonic()
    monkeypatch.setattr(module.time, "monotonic", lambda: now_s)
    pulse = Pulse(session_s=10)
    pulse.check()
    now_s += 6
    pulse.check()
    now_s += 3
    with pytest.raises(OwnershipLost):
        pulse.check()

    pulse._last_s = now_s
    with pytest.raises(OwnershipLost):
        pulse.check()


async def test_beat_ends_a_worker_that_stood_still(monkeypatch):
    """The beat itself notices, so that a worker that stores nothing ends too."""
    monkeypatch.setattr(module, "_EVERY_S", 0.0)
    pulse = Pulse(session_s=10)
    pulse.lose()
    with pytest.raises(OwnershipLost):
        await pulse.beat()
