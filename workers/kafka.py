"""What every aiokafka client of ours shares: its options, and how a consumer stops."""

import asyncio
from typing import Any

from aiokafka import AIOKafkaConsumer

from workers.stream.settings import Security


def security_options(security: Security) -> dict[str, Any]:
    """Translate our security settings into aiokafka's keyword arguments."""
    transport = "PLAINTEXT" if security.tls is None else "SSL"
    if not security.mechanism:
        return {"security_protocol": transport, "ssl_context": security.tls}
    return {
        "security_protocol": f"SASL_{transport}",
        "ssl_context": security.tls,
        "sasl_mechanism": security.mechanism,
        "sasl_plain_username": security.user,
        "sasl_plain_password": security.password.reveal(),
    }


async def stop_consumer(consumer: AIOKafkaConsumer) -> None:
    """
    Stop a consumer, also while its broker is away.

    A fetch that pauses before its next try is then cancelled by aiokafka's own `stop` (0.14.0),
    which lets that through as if somebody had cancelled us, and leaves its connections open.
    """
    try:
        await consumer.stop()
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is None or task.cancelling():
            raise
    finally:
        await consumer._client.close()  # noqa: SLF001 - changes nothing where it is closed
