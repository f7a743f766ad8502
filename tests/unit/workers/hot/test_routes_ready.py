"""Routers that are kept ready: loaded, compiled, stored, swapped, forgotten, tried again."""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from models.router import Reason, to_bytes
from models.router.profile import digest, sources
from tests.fakes.cache import MemoryCache
from tests.fakes.routes import INTENTS, make_router, routing_profile
from tests.waiting import wait_until
from topics.profile import Mode
from workers import metrics
from workers.errors import CacheUnavailable
from workers.hot import routes_ready
from workers.hot.routes_ready import FAILED, WAITING, ReadyRoutes
from workers.keys import Keys
from workers.profile_compiler import CompiledRouter, CompileFailed

KEYS = Keys("s")
AGENT = ("t", "live")


class FakeCompiler:
    """Makes routers at once, or when told to, and records for which profiles."""

    def __init__(self):
        self.asked = []
        self.failing = None
        self.fingerprint = "encoder-1"
        self.state = Reason.ROUTED
        self.may_go_on = asyncio.Event()
        self.may_go_on.set()

    async def compile(self, profile):
        """Compile."""
        self.asked.append(profile)
        await self.may_go_on.wait()
        if self.failing is not None:
            raise self.failing
        router = make_router(
            encoder_fingerprint=self.fingerprint,
            digest=digest(sources(profile)),
            state=self.state,
        )
        return CompiledRouter(content=to_bytes(router), left_out={})


@pytest.fixture
def compiler():
    return FakeCompiler()


@pytest.fixture
def store():
    return MemoryCache()


def make_routes(compiler, store, encoder="encoder-1", keys=KEYS):
    return ReadyRoutes(encoder_fingerprint=encoder, store=store, keys=keys, compiler=compiler)


@asynccontextmanager
async def keeping_up(routes):
    task = asyncio.create_task(routes.keep_up())
    try:
        yield routes
    finally:
        assert not task.done(), task
        task.cancel()


@pytest.fixture
async def routes(compiler, store):
    async with keeping_up(make_routes(compiler, store)) as kept:
        yield kept


def profile(version=1, mode=Mode.LIVE, **overrides):
    return replace(routing_profile(mode), version=version, **overrides)


def other_phrases(version=2):
    intents = (replace(INTENTS[0], examples=("are you open",)), INTENTS[1])
    return profile(version, intents=intents)


async def ready(routes, expected, agent=AGENT):
    """Wait until the agent's route is that of a profile."""

    await wait_until(
        lambda: agent in routes and routes[agent].profile is expected,
        f"the router of version {expected.version}",
        5,
    )


async def quiet(routes):
    """Wait until nothing is left to do."""
    await wait_until(
        lambda: not routes._waiting and not routes._changed.is_set(), "nothing to do", 5
    )


def state_of(state):
    return metrics.ROUTERS.labels(state)._value.get()


def key_of(one, encoder="encoder-1", keys=KEYS):
    return keys.router(*AGENT, encoder, digest(sources(one)))


class TestMake:
    async def test_a_new_profile_is_compiled_and_stored(self, routes, store):
        """
        The router routes for exactly the profile that it was made of.
        """
        one = profile()
        routes.changed(AGENT, one)
        assert AGENT not in routes
        assert state_of(WAITING) == 1

        await ready(routes, one)

        assert routes[AGENT].router.digest == digest(sources(one))
        assert routes[AGENT].intents["hours"].response == "nine to five"
        assert key_of(one) in store.values
        assert (state_of(WAITING), state_of("routed")) == (0, 1)

    async def test_a_stored_router_is_loaded(self, routes, compiler, store):
        """
        A restart, or a second worker, compiles nothing.
        """
        routes.changed(AGENT, profile())
        await ready(routes, routes._wanted[AGENT])
        again = profile()

        async with keeping_up(make_routes(compiler, store)) as second:
            second.changed(AGENT, again)
            await ready(second, again)

        assert len(compiler.asked) == 1
        assert second[AGENT].router.threshold == routes[AGENT].router.threshold

    async def test_no_phrase_is_in_the_store(self, routes, store):
        """
        Neither keys nor values hold what somebody wrote.
        """
        one = profile()
        routes.changed(AGENT, one)
        await ready(routes, one)

        for key, value in store.values.items():
            assert b"open" not in key + value
            assert b"live" not in key

    async def test_another_encoder_compiles_anew(self, routes, compiler, store):
        """
        Vectors of another encoder mean nothing, so its router is another key.
        """
        routes.changed(AGENT, profile())
        await ready(routes, routes._wanted[AGENT])
        compiler.fingerprint = "encoder-2"
        again = profile()

        async with keeping_up(make_routes(compiler, store, "encoder-2")) as second:
            second.changed(AGENT, again)
            await ready(second, again)

        assert len(compiler.asked) == 2

    @pytest.mark.parametrize("mode", [Mode.LIVE, Mode.SHADOW, Mode.OFF])
    async def test_a_router_that_is_off_is_not_made(self, routes, compiler, mode):
        """
        Live and shadow need one; off does not.
        """
        routes.changed(AGENT, profile(mode=mode))
        await quiet(routes)

        assert len(compiler.asked) == (mode is not Mode.OFF)

    async def test_one_that_abstains_says_so(self, routes, compiler, caplog):
        """
        Gauge and log name the state, and the router is there to be asked why.
        """
        compiler.state = Reason.TARGET_NOT_REACHED
        one = profile()
        routes.changed(AGENT, one)

        await ready(routes, one)

        assert state_of("target_not_reached") == 1
        (record,) = [each for each in caplog.records if each.msg == "router_abstains"]
        assert (record.agent_id, record.state) == ("live", "target_not_reached")


class TestGarbage:
    @pytest.mark.parametrize(
        "spoil",
        [
            pytest.param(lambda _: b"", id="nothing"),
            pytest.param(lambda _: b"\x80\x04garbage", id="something else"),
            pytest.param(lambda value: value[:-1], id="cut short"),
            pytest.param(lambda value: value[:40] + b"x" + value[41:], id="one byte"),
            pytest.param(lambda value: bytes(32) + value[32:], id="no seal"),
        ],
    )
    async def test_garbage_is_compiled_again(self, routes, compiler, store, spoil):
        """
        What we did not write decides nothing, and is replaced.
        """
        one = profile()
        routes.changed(AGENT, one)
        await ready(routes, one)
        good = store.values[key_of(one)]
        store.values[key_of(one)] = spoil(good)
        again = profile()

        async with keeping_up(make_routes(compiler, store)) as second:
            second.changed(AGENT, again)
            await ready(second, again)

        assert len(compiler.asked) == 2
        assert store.values[key_of(one)] == good

    async def test_another_agents_router_is_garbage(self, routes, compiler, store):
        """
        A whole and sealed value under another key is never taken for this one.
        """
        one = profile()
        routes.changed(AGENT, one)
        await ready(routes, one)
        other = replace(profile(), agent_id="other")
        theirs = KEYS.router("t", "other", "encoder-1", digest(sources(other)))
        store.values[theirs] = store.values[key_of(one)]

        routes.changed(("t", "other"), other)
        await ready(routes, other, ("t", "other"))

        assert compiler.asked == [one, other]

    async def test_a_value_of_another_deployment_is_garbage(self, compiler, store):
        """
        Who does not know the secret cannot plant a router, nor seal one for our key.
        """
        one = profile()
        async with keeping_up(make_routes(compiler, store, keys=Keys("theirs"))) as theirs:
            theirs.changed(AGENT, one)
            await ready(theirs, one)
        content = store.values[key_of(one, keys=Keys("theirs"))][Keys.SEAL_BYTES :]
        store.values[key_of(one)] = Keys("theirs").seal(key_of(one), content) + content

        async with keeping_up(make_routes(compiler, store)) as ours:
            ours.changed(AGENT, one)
            await ready(ours, one)

        assert len(compiler.asked) == 2


class TestSwap:
    async def test_nothing_is_routed_by_an_older_profile(self, routes, compiler, store):
        """
        From the moment that a new profile is in force, the old router is gone; then the new one
        comes, and the old one leaves the store.
        """
        one, two = profile(), other_phrases()
        routes.changed(AGENT, one)
        await ready(routes, one)

        compiler.may_go_on.clear()
        routes.changed(AGENT, two)
        assert AGENT not in routes
        compiler.may_go_on.set()
        await ready(routes, two)
        await quiet(routes)

        assert routes[AGENT].intents["hours"].examples == ("are you open",)
        assert key_of(two) in store.values
        await wait_until(lambda: key_of(one) not in store.values, "the old one to be forgotten", 5)

    async def test_other_responses_take_effect_at_once(self, routes, compiler):
        """
        The router would be the same, so there is no moment without it, and none with old responses.
        """
        one = profile()
        two = profile(2, intents=(replace(INTENTS[0], response="ten to four"), INTENTS[1]))
        routes.changed(AGENT, one)
        await ready(routes, one)

        routes.changed(AGENT, two)

        assert routes[AGENT].profile is two
        assert routes[AGENT].intents["hours"].response == "ten to four"
        assert len(compiler.asked) == 1

    async def test_a_profile_that_changes_while_it_is_compiled(self, routes, compiler):
        """
        A router that comes too late for its profile is never put in force.
        """
        one, two = profile(), other_phrases()
        compiler.may_go_on.clear()
        routes.changed(AGENT, one)
        await wait_until(lambda: compiler.asked, "the first compilation", 5)

        routes.changed(AGENT, two)
        compiler.may_go_on.set()
        await ready(routes, two)

        assert compiler.asked == [one, two]

    async def test_a_response_that_changes_while_it_is_compiled(self, routes, compiler):
        """
        The router that was under way is not lost: it is found in the store.
        """
        one = profile()
        two = profile(2, intents=(replace(INTENTS[0], response="ten to four"), INTENTS[1]))
        compiler.may_go_on.clear()
        routes.changed(AGENT, one)
        await wait_until(lambda: compiler.asked, "the first compilation", 5)

        routes.changed(AGENT, two)
        compiler.may_go_on.set()
        await ready(routes, two)

        assert compiler.asked == [one]

    @pytest.mark.parametrize("how", ["deleted", "off"])
    async def test_a_router_that_is_taken_back(self, routes, store, how):
        """
        It is gone at once; of a deleted agent nothing stays in the store.
        """
        one = profile()
        routes.changed(AGENT, one)
        await ready(routes, one)

        routes.changed(AGENT, None if how == "deleted" else profile(2, Mode.OFF))

        assert AGENT not in routes
        assert state_of("routed") == 0
        if how == "deleted":
            await wait_until(lambda: key_of(one) not in store.values, "it to be forgotten", 5)


class TestClaim:
    async def test_of_two_workers_one_compiles(self, compiler, store, monkeypatch):
        """
        The other one waits for what the first one stores.
        """
        monkeypatch.setattr(routes_ready, "_LOOK_AGAIN_S", 0.02)
        one, same = profile(), profile()
        compiler.may_go_on.clear()
        async with (
            keeping_up(make_routes(compiler, store)) as first,
            keeping_up(make_routes(compiler, store)) as second,
        ):
            first.changed(AGENT, one)
            second.changed(AGENT, same)
            await wait_until(lambda: store.asked.count("claim_router") > 2, "another look", 5)
            compiler.may_go_on.set()
            await ready(first, one)
            await ready(second, same)
            await wait_until(
                lambda: not [key for key in store.values if key.endswith(b":c")],
                "the claim to be forgotten",
                5,
            )

        assert len(compiler.asked) == 1

    async def test_a_claim_is_held_while_it_takes(self, routes, compiler, store, monkeypatch):
        """
        However long a compilation takes, nobody else begins it; a store that is away changes that
        for nobody.
        """
        monkeypatch.setattr(routes_ready, "CLAIM_S", 0.06)
        one = profile()
        compiler.may_go_on.clear()
        routes.changed(AGENT, one)

        await wait_until(lambda: store.asked.count("hold_router") > 1, "the claim to be held", 5)
        store.down = CacheUnavailable("away")
        held = store.asked.count("hold_router")
        await wait_until(lambda: store.asked.count("hold_router") > held + 1, "more tries", 5)
        store.down = None
        compiler.may_go_on.set()

        await ready(routes, one)

    async def test_a_claim_that_is_never_made_good(self, routes, compiler, store, monkeypatch):
        """
        Where the claiming worker died, another one compiles once the claim has expired.
        """
        monkeypatch.setattr(routes_ready, "_LOOK_AGAIN_S", 0.02)
        one = profile()
        claim = key_of(one) + b":c"
        store.values[claim] = b"1"
        routes.changed(AGENT, one)
        await wait_until(lambda: store.asked.count("claim_router") > 2, "it to look again", 5)
        assert compiler.asked == []

        del store.values[claim]

        await ready(routes, one)


class TestFailures:
    async def test_without_redis(self, routes, compiler, store):
        """
        Routers are compiled and used; they are only not kept.
        """
        store.down = CacheUnavailable("away")
        one = profile()
        routes.changed(AGENT, one)

        await ready(routes, one)

        assert len(compiler.asked) == 1

    @pytest.mark.parametrize(
        "error",
        [
            pytest.param(CompileFailed("took more than 600 s"), id="known"),
            pytest.param(ZeroDivisionError("what somebody wrote"), id="unknown"),
        ],
    )
    async def test_a_compilation_that_fails_is_tried_again(
        self, routes, compiler, monkeypatch, caplog, error
    ):
        """
        Meanwhile nothing is routed for that agent, the others are looked after, and it is loud.
        """
        monkeypatch.setattr(routes_ready, "RETRY_S", (0.05,))
        compiler.failing = error
        one, other = profile(), replace(profile(), agent_id="other")
        routes.changed(AGENT, one)
        await wait_until(lambda: state_of(FAILED) == 1, "the failure", 5)
        assert AGENT not in routes
        assert "what somebody wrote" not in caplog.text
        assert [each for each in caplog.records if each.msg == "router_failed"]

        compiler.failing = None
        routes.changed(("t", "other"), other)
        await ready(routes, other, ("t", "other"))

        await ready(routes, one)
        assert state_of(FAILED) == 0

    async def test_what_comes_out_must_be_a_router_of_this_encoder(self, routes, compiler):
        """
        A compilation that gives something else is a failure, and nothing of it is stored.
        """
        compiler.fingerprint = "encoder-2"
        routes.changed(AGENT, profile())

        await wait_until(lambda: state_of(FAILED) == 1, "the failure", 5)

        assert AGENT not in routes
