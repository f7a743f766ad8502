"""What operations see of a hot worker: lag, readiness, metrics; alone and beside another one."""

import re
from typing import Any

import pytest

from tests.acceptance.hot import (
    ask,
    decide,
    decisions,
    environment,
    hot_worker,
    metrics_of,
    predict,
    predictions,
    readiness,
    ready_to_serve,
    utterance,
)
from tests.faults.fault import BLACKHOLE, PASS
from tests.faults.proxy import FaultProxy
from tests.waiting import wait_until
from workers.admin import BrokerConnection
from workers.embedded import running_broker
from workers.lag import read_lag, readers
from workers.up import running_stack

pytestmark = pytest.mark.timeout(120)


def samples(page: str, name: str) -> dict[str, float]:
    """Read the samples of one metric by their labels, as text."""
    found = re.findall(rf"^{name}(\{{.*\}})? (\S+)$", page, re.MULTILINE)
    return {labels: float(value) for labels, value in found}


async def test_lag_seen_from_both_sides(broker, cache, topic_prefix, tmp_path) -> None:
    """
    A stopped worker's lag grows at the broker; a running one shows its partitions and none behind.
    """
    connected = BrokerConnection(address=broker.address)
    async with hot_worker(broker, cache, topic_prefix, tmp_path) as (stack, worker):
        await ready_to_serve(stack, broker.address, topic_prefix)
        wanted = readers(stack.settings)[:1]  # no slow worker runs here

        async def caught_up() -> bool:
            (group,) = await read_lag(connected, wanted)
            return group.unread == 0 and group.members == 1

        await wait_until(caught_up, "the commits to catch up", 20, every_s=0.2)
        page = await metrics_of(worker.spec.port)
        status, answer = await readiness(worker.spec.port)

    lags = samples(page, "turngate_consumer_lag_records")
    assert len(lags) == samples(page, "turngate_assigned_partitions")[""] == 24
    assert set(lags.values()) == {0.0}
    assert samples(page, "turngate_fetch_age_seconds")[""] < 15
    assert (status, answer["degraded"]) == (200, [])
    assert all(answer["parts"].values())

    await ask(broker.address, topic_prefix, *(utterance(f"c{n}", "hello") for n in range(5)))
    (group,) = await read_lag(connected, wanted)
    assert group.unread == 5
    assert group.oldest_age_s is not None

    async with hot_worker(broker, cache, topic_prefix, tmp_path):
        await wait_until(caught_up, "the restarted worker to catch up", 30, every_s=0.2)


async def test_a_silent_broker_is_seen_and_recovered_from(cache, topic_prefix, tmp_path) -> None:
    """
    A broker that says nothing makes the worker unready within its limit, and ready again alone.
    """
    async with FaultProxy() as proxy:
        with running_broker(advertised=proxy.address) as own:
            proxy.target = own.address

            class Proxied:
                address = proxy.address

            async with hot_worker(Proxied, cache, topic_prefix, tmp_path) as (stack, worker):
                await ready_to_serve(stack, proxy.address, topic_prefix)
                port = worker.spec.port

                async def answers(status: int) -> dict[str, Any] | None:
                    found, answer = await readiness(port)
                    return answer if found == status else None

                await proxy.become(BLACKHOLE)
                unready = await wait_until(lambda: answers(503), "it to be unready", 40)
                await proxy.become(PASS)
                await wait_until(lambda: answers(200), "it to be ready again", 60)

    assert unready["parts"]["bundles_verified"]
    assert not unready["parts"]["offsets_move"] or not unready["parts"]["records_flow"]


async def test_two_workers_by_the_same_settings(broker, cache, topic_prefix, tmp_path) -> None:
    """
    Two workers on one machine find ports of their own and share the partitions.
    """
    async with running_stack(
        environment(broker, cache, topic_prefix), workers=2, logs=tmp_path
    ) as stack:
        ports = [worker.spec.port for worker in stack.workers]

        async def shared() -> bool:
            counts = [
                samples(await metrics_of(port), "turngate_assigned_partitions")[""]
                for port in ports
            ]
            return counts == [12, 12]

        await wait_until(shared, "the partitions to be shared", 40, every_s=0.2)

    assert len(set(ports)) == 2


async def test_what_a_turn_leaves_in_the_metrics(broker, cache, topic_prefix, tmp_path) -> None:
    """
    One served turn is counted with kind, status, mode and reason, and timed from end to end.
    """
    async with hot_worker(broker, cache, topic_prefix, tmp_path) as (stack, worker):
        await ready_to_serve(stack, broker.address, topic_prefix)
        await predict(stack, topic_prefix, predictions("c", "yes please"))
        await decide(broker.address, topic_prefix, utterance("c", "yes please"))
        await decisions(broker.address, topic_prefix, 1)

        async def counted() -> str:
            page = await metrics_of(worker.spec.port)
            return page if 'kind="serve"' in page else ""

        page = await wait_until(counted, "the decision to be counted", 10)

    served = 'turngate_decisions_total{kind="serve",mode="live",reason="exact",status="ok"} 1.0'
    assert served in page
    assert samples(page, "turngate_decision_seconds_count")[""] >= 1
    assert samples(page, "turngate_event_age_seconds_count")[""] >= 1
    kinds = {kind for kind in ("encoder", "judge") if f'kind="{kind}"' in page}
    assert kinds == {"encoder", "judge"}
    assert "yes please" not in page
