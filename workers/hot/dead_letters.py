"""Records that could not be used go to `dead.letters`, each with where it came from and why."""

from topics.codec import DecodeError, encode
from topics.names import DEAD_LETTERS
from workers.letters import fault_of, letter_of, note_letter
from workers.stream.consume import Record
from workers.stream.produce import Publisher


class DeadLetters:
    """Publishes dead letters."""

    def __init__(self, publisher: Publisher, prefix: str) -> None:
        self._publisher = publisher
        self._topic = prefix + DEAD_LETTERS.name

    async def refuse(self, record: Record, error: DecodeError) -> None:
        """
        Publish the dead letter of a record that is not the event we expect.

        Raises:
            BrokerUnavailable: it could not be stored; the record must not be committed.

        """
        await self._send(record, error.reason, fault_of(error.reason))

    async def failed(self, record: Record, error: BaseException) -> None:
        """
        Publish the dead letter of a record whose handling failed; the error is named by type only.

        Raises:
            BrokerUnavailable: it could not be stored; the record must not be committed.

        """
        await self._send(record, f"handling failed: {type(error).__name__}", "failed")

    async def _send(self, record: Record, reason: str, fault: str) -> None:
        value = encode(letter_of(record, reason))
        await self._publisher.publish(self._topic, key=None, value=value)
        note_letter(record, fault)
