"""Compiling in a process of its own, with the shipped encoder."""

import asyncio
import contextlib
import json
import os
from pathlib import Path

import pytest

from models.encoder import Encoder
from models.router import Reason, from_bytes
from models.router.profile import digest, sources
from tests.intents import SAID, routing_document
from tests.waiting import wait_until
from topics.codec import decode
from topics.profile import AgentProfile
from workers.profile_compiler import CompileFailed, Compiler
from workers.settings import Settings

FOLDER = Settings().encoder
pytestmark = pytest.mark.timeout(180)


@pytest.fixture(scope="module")
def encoder():
    return Encoder.load(FOLDER)


@pytest.fixture
def profile() -> AgentProfile:
    return decode(AgentProfile, json.dumps(routing_document() | {"version": 1}).encode())


def children() -> set[str]:
    """List the processes that we started and that still run."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        # One that ends meanwhile is none.
        with contextlib.suppress(OSError):
            state, parent = (folder / "stat").read_text("utf-8").rpartition(")")[2].split()[:2]
            if parent == str(os.getpid()) and state != "Z":
                found.add(folder.name)
    return found


async def test_a_router_comes_out(encoder, profile):
    """
    It routes what the profile means, and its child is gone.
    """
    before = children()

    found = await Compiler(FOLDER, encoder.manifest.seal).compile(profile)

    router = from_bytes(found.content, encoder.fingerprint)
    said = {name: router.route(encoder.encode([text])[0]).intent for name, text in SAID.items()}
    assert router.state is Reason.ROUTED
    assert said == {name: name for name in SAID}
    assert found.left_out == {}
    assert children() <= before


async def test_equal_profiles_give_equal_routers(encoder, profile):
    """
    Two workers that compile at once store the same bytes.
    """
    one, two = [await Compiler(FOLDER, encoder.manifest.seal).compile(profile) for _ in range(2)]

    assert one.content == two.content
    assert digest(sources(profile)) == digest(sources(profile))


@pytest.mark.parametrize(
    ("folder", "seal", "reason"),
    [
        pytest.param(FOLDER, "another", "another one than the worker has loaded", id="swapped"),
        pytest.param(FOLDER / "nothing", "x", "manifest.json: cannot be read", id="gone"),
    ],
)
async def test_a_bundle_that_does_not_fit(profile, folder, seal, reason):
    """
    The failure says what is wrong with the bundle, and nothing of the profile.
    """
    with pytest.raises(CompileFailed, match=reason) as caught:
        await Compiler(folder, seal).compile(profile)

    assert "open" not in str(caught.value)


async def test_what_takes_too_long_is_ended(encoder, profile):
    """
    The process does not outlive its limit.
    """
    before = children()

    with pytest.raises(CompileFailed, match=r"took more than 0.2 s"):
        await Compiler(FOLDER, encoder.manifest.seal, limit_s=0.2).compile(profile)

    assert children() <= before


async def test_a_stop_ends_the_process(encoder, profile):
    """
    A worker that stops does not wait for a compilation, and leaves none behind.
    """
    before = children()
    task = asyncio.create_task(Compiler(FOLDER, encoder.manifest.seal).compile(profile))
    await wait_until(lambda: children() - before, "the process to start")

    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert children() <= before
