"""Banned pairs, from their compacted topic into memory: a guard like any other."""

from collections.abc import Iterator, Sequence

from models.match import Option
from topics.codec import DecodeError, Tombstone, decode_compacted
from topics.denial import Denial, denied_pair
from workers import metrics
from workers.hot.profiles import Refuse
from workers.stream.consume import Record

#: What a decision says of a prediction that was taken out.
GUARD = "denied"


class Denials:
    """The pairs of every tenant; a record that is no denial changes nothing and is refused."""

    def __init__(self, refuse: Refuse) -> None:
        self._refuse = refuse
        self._pairs: dict[str, set[str]] = {}
        #: Which pair each Kafka key banned, so that a tombstone finds it.
        self._by_key: dict[bytes | None, Denial] = {}

    def __len__(self) -> int:
        """Return how many pairs are banned."""
        return sum(map(len, self._pairs.values()))

    async def take(self, record: Record) -> None:
        """Take one record: a denial, or a tombstone that lifts one."""
        try:
            denial = decode_compacted(Denial, record.value)
        except DecodeError as error:
            self._refuse(record, error)
            return
        before = self._by_key.pop(record.key, None)
        if before is not None:
            self._lift(before)
        if not isinstance(denial, Tombstone):
            self._by_key[record.key] = denial
            self._pairs.setdefault(denial.tenant_id, set()).add(denial.pair)
        metrics.DENIALS.set(len(self))

    def guarded(
        self,
        tenant_id: str,
        said_key: str,
        options: Sequence[Option],
        guarded: Sequence[str | None],
    ) -> Iterator[str | None]:
        """
        Add to what other guards said of each option; what they took out stays out.

        Args:
            tenant_id: whose turn it is.
            said_key: exact-tier key of the cleaned utterance.
            options: the turn's predictions.
            guarded: the guard that took each of them out, or None.

        """
        pairs = self._pairs.get(tenant_id)
        for option, guard in zip(options, guarded, strict=True):
            if guard is None and pairs and denied_pair(tenant_id, said_key, option.key) in pairs:
                yield GUARD
            else:
                yield guard

    def _lift(self, denial: Denial) -> None:
        named = (denial.tenant_id, denial.pair)
        # The same pair may have been banned under another key, by a producer of its own.
        if any((other.tenant_id, other.pair) == named for other in self._by_key.values()):
            return
        self._pairs[denial.tenant_id].discard(denial.pair)
