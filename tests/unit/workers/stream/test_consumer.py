"""Tests of the consumer: what is committed, and as whom; what reaches the agents."""

import asyncio
from types import SimpleNamespace

import pytest
from aiokafka.errors import KafkaConnectionError, UnknownMemberIdError
from faust.types import TP

from workers.stream.consumer import Membership

A = TP("a", 0)
B = TP("b", 0)
B1 = TP("b", 1)
ASSIGNMENT = SimpleNamespace(tps=frozenset({A}))
MEMBER = Membership(3, "me", ASSIGNMENT)


TAKEN, REFUSED = True, False


class FakeThread:
    """Takes commits as the consumer thread does, with answers given beforehand."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.commits = []

    def membership(self):
        """Say what we are in the group."""
        return MEMBER

    async def commit_as(self, membership, offsets):
        """Note the commit and answer."""
        self.commits.append((membership, offsets))
        return self.answers.pop(0)


@pytest.fixture
def handled(app, consumer, make_message):
    """Give a consumer that handled one record of offset 0."""
    message = make_message(0)
    app.prefix.fetched(message)
    consumer.ack(message)
    return consumer


def with_thread(consumer, thread, monkeypatch):
    """Put a fake in place of the consumer thread."""
    monkeypatch.setattr(consumer, "_thread", thread)
    return thread


class TestMayCommit:
    @pytest.mark.parametrize(
        "now",
        [
            pytest.param(MEMBER._replace(generation=4), id="later generation"),
            pytest.param(MEMBER._replace(member_id="other"), id="other member"),
            pytest.param(
                MEMBER._replace(assignment=SimpleNamespace(tps=frozenset({A}))),
                id="rebalanced into the same generation",
            ),
            pytest.param(Membership(-1, "", ASSIGNMENT), id="out of the group"),
            pytest.param(MEMBER._replace(assignment=None), id="nothing assigned"),
        ],
    )
    def test_only_as_the_member_that_read_the_records(self, now):
        """
        Offsets of an earlier membership are refused: they may belong to somebody else by now.
        """
        assert not MEMBER.may_commit([A], now=now)

    def test_not_outside_the_group(self):
        """
        Without a generation brokers take commits unchecked, so there is none.
        """
        outside = Membership(-1, "", ASSIGNMENT)

        assert not outside.may_commit([A], now=outside)

    def test_not_for_partitions_of_others(self):
        """
        A partition that is not assigned to us is not committed.
        """
        assert not MEMBER.may_commit([A, B], now=MEMBER)

    def test_as_the_same_member(self):
        """
        While nothing changed, the commit goes through.
        """
        assert MEMBER.may_commit([A], now=Membership(3, "me", ASSIGNMENT))


class TestCommit:
    async def test_carries_the_handled_prefix(self, handled, monkeypatch):
        """
        The offset after the handled record is committed, once.
        """
        thread = with_thread(handled, FakeThread(TAKEN), monkeypatch)

        results = [await handled.commit(), await handled.commit()]

        assert results == [True, False]
        assert thread.commits == [(MEMBER, {A: 1})]

    async def test_that_failed_is_tried_again(self, handled, monkeypatch):
        """
        A commit that the broker did not take moves nothing on our side.
        """
        thread = with_thread(handled, FakeThread(REFUSED, TAKEN), monkeypatch)

        results = [await handled.commit(), await handled.commit()]

        assert results == [False, True]
        assert thread.commits == [(MEMBER, {A: 1})] * 2

    async def test_that_is_never_answered_ends(self, handled, monkeypatch):
        """
        A consumer thread that no longer answers does not hold up the worker.
        """
        monkeypatch.setattr("workers.stream.consumer.COMMIT_LIMIT_S", 0.005)
        thread = FakeThread()
        thread.commit_as = lambda *_: asyncio.Event().wait()
        with_thread(handled, thread, monkeypatch)

        assert not await handled.commit()

    async def test_now_waits_for_the_one_under_way(self, app, handled, make_message, monkeypatch):
        """
        The last commit of a worker carries what was handled while another one was under way.
        """
        thread = with_thread(handled, FakeThread(TAKEN, TAKEN), monkeypatch)
        later = make_message(1)
        app.prefix.fetched(later)
        under_way = asyncio.create_task(handled.commit())
        await asyncio.sleep(0)
        handled.ack(later)

        await handled.commit_now()
        await under_way

        assert [offsets for _, offsets in thread.commits] == [{A: 1}, {A: 2}]


class TestCommitInTheThread:
    @pytest.fixture
    def coordinator(self, consumer, monkeypatch):
        """Give the coordinator that the consumer thread commits through."""
        made = SimpleNamespace(
            generation=3, member_id="me", _commit_lock=asyncio.Lock(), error=None, taken=[]
        )

        async def take(_assignment, offsets):
            made.taken.append({tp: at.offset for tp, at in offsets.items()})
            if made.error is not None:
                raise made.error

        made._do_commit_offsets = take
        subscription = SimpleNamespace(subscription=SimpleNamespace(assignment=ASSIGNMENT))
        fake = SimpleNamespace(_coordinator=made, _subscription=subscription)
        monkeypatch.setattr(consumer._thread, "_consumer", fake)
        return made

    async def test_goes_to_the_broker(self, consumer, coordinator):
        """
        A commit of the present member is sent.
        """
        assert await consumer._thread._commit_as(MEMBER, {A: 5})
        assert coordinator.taken == [{A: 5}]

    async def test_of_an_earlier_membership_is_not_sent(self, consumer, coordinator):
        """
        A commit that waited while the group rebalanced is dropped, not sent under a new generation.
        """
        await coordinator._commit_lock.acquire()
        commit = asyncio.create_task(consumer._thread._commit_as(MEMBER, {A: 5}))
        await asyncio.sleep(0)
        coordinator.generation = 4
        coordinator._commit_lock.release()

        assert not await commit
        assert coordinator.taken == []

    @pytest.mark.parametrize(
        "error",
        [
            pytest.param(KafkaConnectionError(), id="broker away"),
            pytest.param(UnknownMemberIdError(), id="out of the group"),
            pytest.param(TimeoutError(), id="too slow"),
        ],
    )
    async def test_that_fails_is_not_repeated_here_and_crashes_nothing(
        self, consumer, coordinator, error
    ):
        """
        aiokafka would try again without limit, and Faust would end the worker.
        """
        coordinator.error = error

        assert not await consumer._thread._commit_as(MEMBER, {A: 5})
        assert len(coordinator.taken) == 1
        assert not consumer._thread.crashed


class TestRevocation:
    async def test_forgets_all_partitions(self, app, handled, monkeypatch):
        """
        After a revocation nothing of before is committed.
        """
        with_thread(handled, FakeThread(), monkeypatch)
        monkeypatch.setattr(handled, "_on_partitions_revoked", lambda _revoked: asyncio.sleep(0))

        await handled.on_partitions_revoked({A})

        assert app.prefix.committable() == {}

    async def test_forgets_them_even_if_the_hand_over_fails(self, app, handled, monkeypatch):
        """
        Whatever goes wrong while handing over, old offsets are not kept.
        """

        async def fail(_revoked):
            raise ValueError("hand over")

        monkeypatch.setattr(handled, "_on_partitions_revoked", fail)

        with pytest.raises(ValueError, match="hand over"):
            await handled.on_partitions_revoked({A})

        assert app.prefix.committable() == {}

    async def test_does_not_wait_for_a_hung_event(self, app, handled, monkeypatch):
        """
        An event that hangs does not keep the group waiting; what is handled is committed.
        """
        thread = with_thread(handled, FakeThread(TAKEN), monkeypatch)
        monkeypatch.setattr(app, "settings", SimpleNamespace(handover_s=0.005))

        with app.in_hand.one():
            await handled.wait_empty()

        assert thread.commits == [(MEMBER, {A: 1})]


class TestFlow:
    async def test_a_closed_intake_stays_closed(self, consumer):
        """
        A rebalance that ends while the worker stops does not start the flow again.
        """
        consumer.close_intake()

        consumer.resume_flow()

        assert not consumer.flow_active

    @pytest.fixture
    def fetches(self, consumer, monkeypatch):
        """Give what the consumer thread was asked to fetch: partitions and seconds."""
        asked = []

        async def fetch(partitions, seconds):
            asked.append((set(partitions), seconds))
            return {}

        monkeypatch.setattr(consumer._thread, "getmany", fetch)
        return asked

    @pytest.fixture
    def full(self, app, consumer, make_message):
        """Give the records that fill the buffer of topic `a`; `b` is empty."""
        consumer._set_active_tps({A, B, B1})
        messages = [make_message(offset) for offset in range(app.settings.buffer)]
        for message in messages:
            app.prefix.fetched(message)
        return messages

    @pytest.mark.usefixtures("full")
    async def test_a_full_buffer_leaves_its_topic_out_for_a_moment(self, consumer, fetches):
        """
        Other topics go on, and the full one is looked at again soon.
        """
        await consumer._wait_next_records(1.0)

        partitions, seconds = fetches[0]
        assert partitions == {B, B1}
        assert seconds < 0.1

    @pytest.mark.usefixtures("full")
    async def test_with_room_everything_is_fetched(self, app, consumer, fetches):
        """
        Without a full buffer one fetch waits for all partitions.
        """
        app.prefix.clear()

        await consumer._wait_next_records(1.0)

        assert fetches == [({A, B, B1}, 1.0)]

    async def test_room_wakes_the_pump(self, consumer, fetches, full):
        """
        Where every buffer is full, nothing is fetched until an event is handled.
        """
        consumer._set_active_tps({A})
        waiting = asyncio.create_task(consumer._wait_next_records(60.0))
        await asyncio.sleep(0)

        consumer.ack(full[0])
        await waiting

        assert fetches == []


class TestPump:
    @pytest.fixture
    def pumped(self, app, consumer, monkeypatch):
        """Give a consumer that delivers what `fetched` holds, and what was delivered."""
        fetched, delivered = [], []

        async def getmany(**_timeout):
            for message in fetched:
                yield message.tp, message
            consumer._stopped.set()

        async def deliver(message):
            delivered.append((message.offset, app.prefix.unhandled))

        monkeypatch.setattr(consumer, "getmany", getmany)
        monkeypatch.setattr(consumer, "callback", deliver)
        return fetched, delivered

    async def test_notes_each_record_before_it_is_delivered(self, consumer, make_message, pumped):
        """
        A record is in the commit rule's books before an agent can see it.
        """
        fetched, delivered = pumped
        fetched += [make_message(4), make_message(9)]

        await consumer._drain_messages(SimpleNamespace(should_stop=False))

        assert delivered == [(4, 1), (9, 2)]

    async def test_delivers_records_below_earlier_ones(self, consumer, make_message, pumped):
        """
        Faust drops what lies below the last offset that it saw; a log made anew starts there.
        """
        fetched, delivered = pumped
        fetched += [make_message(500), make_message(0)]

        await consumer._drain_messages(SimpleNamespace(should_stop=False))

        assert [offset for offset, _ in delivered] == [500, 0]
