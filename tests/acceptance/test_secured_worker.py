"""A hot worker whose broker and cache ask for TLS and passwords."""

import pytest
import trustme
from aiokafka import AIOKafkaProducer

from tests.acceptance.hot import environment, metrics_of, predictions, utterance
from tests.faults.secured import Account, Door
from tests.waiting import wait_until
from workers.embedded import running_broker, running_cache
from workers.kafka import security_options
from workers.stream.settings import stream_settings
from workers.up import running_stack

pytestmark = pytest.mark.timeout(120)

USER, PASSWORD = "turngate", "correct:horse/battery"


async def test_turns_are_decided_over_tls_and_sasl(topic_prefix, tmp_path) -> None:
    """
    The worker joins, reads, keeps predictions and decides; its secrets show nowhere.
    """
    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    (tmp_path / "password").write_text(f"{PASSWORD}\n", "utf-8")
    account = Account("SCRAM-SHA-512", USER, PASSWORD)
    async with Door(authority, account=account) as kafka, Door(authority) as redis:
        with running_broker(advertised=kafka.address) as broker, running_cache() as cache:
            kafka.target, redis.target = broker.address, cache.address

            class Secured:
                address = kafka.address
                url = f"rediss://{redis.address}/0"

            given = environment(
                Secured,
                Secured,
                topic_prefix,
                kafka_security="SASL_SSL",
                kafka_ca=str(tmp_path / "ca.pem"),
                kafka_user=USER,
                kafka_password_file=str(tmp_path / "password"),
                redis_ca=str(tmp_path / "ca.pem"),
                log_level="DEBUG",
            )
            async with running_stack(given, logs=tmp_path) as stack:
                port = stack.workers[0].spec.port
                await produce(stack, f"{topic_prefix}turn.utterances", utterance("c", "yes"))
                calls = iter(range(1_000))

                async def decided() -> str | None:
                    # The first ones may come before a connection to Redis is made.
                    said = predictions(f"c{next(calls)}", "yes")
                    await produce(stack, f"{topic_prefix}turn.predictions", said)
                    page = await metrics_of(port)
                    done = ("turngate_decisions_total{", '_predictions_total{outcome="kept"}')
                    return page if all(each in page for each in done) else None

                page = await wait_until(
                    decided, "a turn to be decided, predictions to be kept", 40, every_s=0.2
                )

    log = (tmp_path / "worker-1.log").read_text("utf-8")
    assert kafka.admitted > 0
    assert redis.admitted > 0
    assert kafka.refused == 0
    assert PASSWORD not in log + page


async def produce(stack, topic, record) -> None:
    settings = stream_settings(stack.settings, client_id="test")
    producer = AIOKafkaProducer(
        bootstrap_servers=stack.settings.kafka, **security_options(settings.security)
    )
    await producer.start()
    try:
        await producer.send_and_wait(topic, record.value, key=record.key)
    finally:
        await producer.stop()
