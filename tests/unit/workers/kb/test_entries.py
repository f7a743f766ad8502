"""`kb.entries` in: upserts, tombstones, refusals, and an index that keeps up beside everything."""

import asyncio
import threading

import pytest

from models.kb.reading import MAX_ENTRY_CHARS
from tests.fakes.kb import entry_record, make_entry
from tests.fakes.stream import make_record
from tests.waiting import wait_until
from workers import metrics
from workers.background import beside
from workers.deadline import Deadline
from workers.inference import Priority
from workers.kb import entries as module

LATER = Deadline.after(3_600)


def tombstone(entry):
    record = entry_record(entry)
    return make_record(None, topic="kb.entries", key=record.key)


@pytest.fixture(autouse=True)
def _impatient(monkeypatch):
    monkeypatch.setattr(module, "_COLLECT_S", 0.01)
    monkeypatch.setattr(module, "_PAUSE_S", 0.001)


@pytest.fixture
async def following(kb):
    """Keep the index up, as a worker does."""
    async with beside(kb.entries.keep_up(), name="test"):
        yield kb


def ids(kb, tenant_id="t"):
    return {entry.entry_id for entry in kb.index.entries(tenant_id)}


async def take(kb, *records):
    for record in records:
        await kb.entries.take(record)


async def settle(kb):
    await wait_until(lambda: not kb.entries._waiting, "all changes to be taken in")


async def until(kb, *wanted, tenant_id="t"):
    await wait_until(lambda: ids(kb, tenant_id) == set(wanted), f"the entries {wanted}")


class TestTake:
    async def test_upserts_and_tombstones(self, following):
        """
        The index has what the topic has: the last version of each entry, without what is deleted.
        """
        await take(following, *(entry_record(make_entry(name)) for name in "abc"))
        await until(following, "a", "b", "c")

        await take(
            following,
            tombstone(make_entry("a")),
            entry_record(make_entry("b", content="Changed.")),
            tombstone(make_entry("never")),
        )

        await until(following, "b", "c")
        assert following.index.entries("t")[0].content == "Changed."
        assert following.refused == []

    async def test_an_entry_that_is_deleted_and_comes_back(self, following):
        """
        Order counts, however quickly changes follow each other.
        """
        entry = make_entry("a")
        await take(following, entry_record(entry), tombstone(entry), entry_record(entry))
        await until(following, "a")

        await take(following, entry_record(entry), tombstone(entry))
        await until(following)

    async def test_tenants_are_apart(self, following):
        """
        Entries of one id are two entries, and a deletion is of one tenant's.
        """
        mine, others = make_entry("a"), make_entry("a", tenant_id="u", content="Others.")
        await take(following, entry_record(mine), entry_record(others))
        await until(following, "a")
        await until(following, "a", tenant_id="u")

        await take(following, tombstone(others))

        await until(following, tenant_id="u")
        assert ids(following) == {"a"}

    @pytest.mark.parametrize("name", ["a/b", "a b", "उत्तर", "جواب", "a:*{}\n", "%2F"])
    async def test_any_id(self, following, name):
        """
        Ids of any characters are entries of their own, and are deleted by their key.
        """
        entry = make_entry(name, tenant_id=name)
        await take(following, entry_record(entry))
        await until(following, name, tenant_id=name)

        await take(following, tombstone(entry))
        await until(following, tenant_id=name)

    @pytest.mark.parametrize(
        ("record", "reason"),
        [
            pytest.param(make_record(b"{}"), "missing required field", id="no fields"),
            pytest.param(make_record(b"\xff"), "not valid JSON", id="no JSON"),
            pytest.param(
                entry_record(make_entry("a"), key=b"t/b"), "record key", id="another entry's key"
            ),
            pytest.param(
                entry_record(make_entry("a"), key=b"u/a"), "record key", id="another tenant's key"
            ),
            pytest.param(entry_record(make_entry("a"), key=None), "record key", id="no key"),
            pytest.param(
                entry_record(make_entry("a", content="x" * (MAX_ENTRY_CHARS + 1))),
                "content is longer",
                id="long content",
            ),
            pytest.param(
                entry_record(make_entry("a", title="x" * 1_001)), "title is longer", id="long title"
            ),
            pytest.param(make_record(b"x" * 200_000), "too large", id="large record"),
        ],
    )
    async def test_refused(self, following, record, reason):
        """
        What is no entry that we can use is refused with the reason, and changes nothing.
        """
        await take(following, record, entry_record(make_entry("good")))

        await until(following, "good")
        assert [(one, reason in why) for one, why in following.refused] == [(record, True)]

    async def test_a_refused_version_takes_the_old_one_out(self, following):
        """
        An entry whose new version is too long is not searched in its old one.
        """
        await take(following, entry_record(make_entry("a")), entry_record(make_entry("b")))
        await until(following, "a", "b")

        await take(following, entry_record(make_entry("a", title="x" * 1_001)))

        await until(following, "b")

    async def test_bounds(self, kb):
        """
        Beyond its room a tenant's entries are refused; what is there stays, others are not touched.
        """
        kb.entries = kb.new_entries(tenant=2, every=3)
        async with beside(kb.entries.keep_up(), name="test"):
            await take(kb, *(entry_record(make_entry(f"e{number}")) for number in range(4)))
            await take(kb, *(entry_record(make_entry("x", tenant_id=one)) for one in "uv"))
            await until(kb, "e0", "e1")
            await until(kb, "x", tenant_id="u")
            await settle(kb)

        reasons = [why for _, why in kb.refused]
        assert [("the tenant has" in why, "all tenants" in why) for why in reasons] == [
            (True, False), (True, False), (False, True),
        ]  # fmt: skip
        assert ids(kb, "v") == set()
        assert kb.entries._by_key.keys() == {b"t/e0", b"t/e1", b"u/x"}


class TestReady:
    async def test_after_everything_that_was_there(self, following):
        """
        The index is whole once what the topic held at the start is searched, not before.
        """
        await take(following, entry_record(make_entry("a")))
        await until(following, "a")
        assert not following.entries.ready

        await take(following, entry_record(make_entry("b")))
        following.entries.all_read()

        assert metrics.DEGRADED.labels("kb_index")._value.get() == 1
        await wait_until(lambda: following.entries.ready, "the index to be whole")
        assert ids(following) == {"a", "b"}
        assert metrics.DEGRADED.labels("kb_index")._value.get() == 0

    async def test_an_empty_topic(self, following):
        """
        Nothing to read is read at once.
        """
        following.entries.all_read()

        await wait_until(lambda: following.entries.ready, "the index to be whole")


class TestEncoding:
    async def test_a_few_passages_at_a_time_behind_everything_else(self, kb):
        """
        A turn that arrives while entries are encoded waits for one small piece of that work.
        """
        sizes, order = [], []
        held, release = threading.Event(), threading.Event()
        encode = kb.encoder.encode

        def slow(texts, cancel=None):
            sizes.append(len(texts))
            order.append("entry")
            held.set()
            release.wait(10)
            return encode(texts, cancel)

        kb.encoder.encode = slow
        long = " ".join(["word"] * 400)
        async with beside(kb.entries.keep_up(), name="test"):
            await take(kb, entry_record(make_entry("a", content=long)))
            await wait_until(held.is_set, "an inference of entries")
            turn = asyncio.create_task(
                kb.inference.run(
                    lambda _: order.append("turn"), deadline=LATER, priority=Priority.TURN
                )
            )
            await asyncio.sleep(0)
            release.set()
            await turn
            await until(kb, "a")

        assert order[:2] == ["entry", "turn"]
        assert max(sizes) <= 2
        assert len(sizes) == 6  # the first gave way to the turn, and began anew

    async def test_what_only_moved_in_time_is_not_encoded(self, following):
        """
        A new time stamp costs no inference.
        """
        await take(following, entry_record(make_entry("a")))
        await until(following, "a")
        following.encoder.asked.clear()

        await take(following, entry_record(make_entry("a", updated_at_ms=7)))

        await wait_until(lambda: following.index.entries("t")[0].updated_at_ms == 7, "the new time")
        assert following.encoder.asked == []

    async def test_an_encoder_that_fails_now_and_then(self, following):
        """
        What fails once is tried again, and the entries are all there.
        """
        encode, failures = following.encoder.encode, iter([True, False, True])

        def sometimes(texts, cancel=None):
            following.encoder.failing = next(failures, False)
            return encode(texts, cancel)

        following.encoder.encode = sometimes
        await take(following, *(entry_record(make_entry(name)) for name in "abc"))

        await until(following, "a", "b", "c")
        assert following.refused == []

    async def test_an_entry_that_cannot_be_encoded(self, following):
        """
        It is refused after some tries, its old version is out, and the others are there.
        """
        await take(following, entry_record(make_entry("a")))
        await until(following, "a")
        encode = following.encoder.encode

        def fails_on_bad(texts, cancel=None):
            following.encoder.failing = any("bad" in text for text in texts)
            return encode(texts, cancel)

        following.encoder.encode = fails_on_bad
        bad = entry_record(make_entry("a", content="bad"))
        await take(following, bad, entry_record(make_entry("b")))

        await until(following, "b")
        assert following.refused == [(bad, "could not be encoded")]

    async def test_a_starved_entry_waits(self, kb, monkeypatch):
        """
        Entries that the executor has no time for come later, not never.
        """
        monkeypatch.setattr(module, "_CHUNK_S", 0.01)
        gate = threading.Event()
        busy = asyncio.create_task(
            kb.inference.run(lambda _: gate.wait(10), deadline=LATER, priority=Priority.TURN)
        )
        async with beside(kb.entries.keep_up(), name="test"):
            await take(kb, entry_record(make_entry("a")))
            await asyncio.sleep(0.05)
            assert ids(kb) == set()
            gate.set()
            await until(kb, "a")
        await busy


class TestCounts:
    async def test_gauges(self, kb):
        """
        Entries count once they are searched; until then they wait, also while they are encoded.
        """
        held, release = threading.Event(), threading.Event()
        encode = kb.encoder.encode

        def slow(texts, cancel=None):
            held.set()
            release.wait(10)
            return encode(texts, cancel)

        kb.encoder.encode = slow
        async with beside(kb.entries.keep_up(), name="test"):
            await take(kb, *(entry_record(make_entry(name)) for name in "ab"))
            await wait_until(held.is_set, "the first to be encoded")
            assert (metrics.KB_ENTRIES._value.get(), metrics.KB_WAITING._value.get()) == (0, 2)
            release.set()
            await wait_until(lambda: metrics.KB_WAITING._value.get() == 0, "both to be in")

            assert metrics.KB_ENTRIES._value.get() == len(kb.index) == 2


class TestFaults:
    async def test_an_index_that_cannot_be_built(self, following, monkeypatch):
        """
        One tenant's fault is visible, the worker lives, and other tenants get their entries.
        """
        put = following.index.put

        def fails(ready):
            if any(one.entry.tenant_id == "bad" for one in ready):
                raise ZeroDivisionError
            put(ready)

        monkeypatch.setattr(following.index, "put", fails)
        await take(
            following,
            entry_record(make_entry("a", tenant_id="bad")),
            entry_record(make_entry("b")),
        )

        await until(following, "b")
        following.entries.all_read()
        await wait_until(lambda: following.entries.ready, "the rest to be read")
        assert metrics.DEGRADED.labels("kb_index")._value.get() == 1

    async def test_search_goes_on_during_an_update(self, following, monkeypatch):
        """
        A search while the index is built sees the old one, at once.
        """
        await take(following, entry_record(make_entry("a")))
        await until(following, "a")
        building, release = threading.Event(), threading.Event()
        put = following.index.put

        def slow(ready):
            building.set()
            release.wait(10)
            put(ready)

        monkeypatch.setattr(following.index, "put", slow)
        await take(following, entry_record(make_entry("b")))
        await wait_until(building.is_set, "the update to begin")

        found = following.index.search("t", "content", now_ms=0)

        assert [one.entry.entry_id for one in found] == ["a"]
        release.set()
        await until(following, "a", "b")

    async def test_the_event_loop_is_not_held(self, following):
        """
        While a thousand records arrive at once, others get their turn.
        """
        turns = 0

        async def others():
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        async with beside(others(), name="others"):
            await take(following, *(entry_record(make_entry(str(n))) for n in range(1_000)))

        assert turns >= 50
