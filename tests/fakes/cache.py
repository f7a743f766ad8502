"""A cache in memory that can fail on demand."""

from workers.cache import TurnKeys, TurnValues
from workers.errors import CacheUnavailable


class MemoryCache:
    """Keeps values as Redis would; `down` makes every call fail."""

    def __init__(self) -> None:
        self.values: dict[bytes, bytes] = {}
        self.down: CacheUnavailable | None = None
        self.asked: list[str] = []

    async def read_turn(self, keys: TurnKeys) -> TurnValues:
        """Read everything that a turn needs."""
        self._ask("read_turn")
        return TurnValues(
            *(
                self.values.get(key)
                for key in (keys.predictions, keys.newest_turn, keys.profile_version)
            )
        )

    async def keep_decision(self, keys: TurnKeys, value: bytes, seq: int) -> bytes:
        """Store a decision unless there is one."""
        self._ask("keep_decision")
        self._raise_number(keys.newest_turn, seq)
        return self.values.setdefault(keys.decision, value)

    async def keep_verdict(self, key: bytes, value: bytes) -> bytes:
        """Store a verdict unless there is one."""
        self._ask("keep_verdict")
        return self.values.setdefault(key, value)

    async def keep_predictions(
        self, key: bytes, value: bytes, *, created_at_ms: int, ttl_ms: int
    ) -> bool:
        """Store predictions; the newest stay."""
        self._ask("keep_predictions")
        assert ttl_ms > 0
        if int(self.values.get(key + b":t", b"-1")) > created_at_ms:
            return False
        self.values[key] = value
        self.values[key + b":t"] = str(created_at_ms).encode()
        return True

    async def keep_profile_version(self, key: bytes, version: int) -> None:
        """Store a profile version."""
        self._ask("keep_profile_version")
        self._raise_number(key, version)

    async def forget_profile_version(self, key: bytes) -> None:
        """Forget a profile version."""
        self._ask("forget_profile_version")
        self.values.pop(key, None)

    async def read_router(self, key: bytes) -> bytes | None:
        """Read a router."""
        self._ask("read_router")
        return self.values.get(key)

    async def keep_router(self, key: bytes, value: bytes) -> None:
        """Store a router."""
        self._ask("keep_router")
        self.values[key] = value

    async def claim_router(self, key: bytes, ttl_s: int) -> bool:
        """Claim the making of a router."""
        self._ask("claim_router")
        assert ttl_s > 0
        if key in self.values:
            return False
        self.values[key] = b"1"
        return True

    async def hold_router(self, key: bytes, ttl_s: int) -> None:
        """Hold a claim for longer."""
        self._ask("hold_router")
        assert key in self.values
        assert ttl_s > 0

    async def forget_router(self, key: bytes) -> None:
        """Forget a router."""
        self._ask("forget_router")
        self.values.pop(key, None)

    def _raise_number(self, key: bytes, number: int) -> None:
        self.values[key] = str(max(number, int(self.values.get(key, b"-1")))).encode()

    def _ask(self, operation: str) -> None:
        self.asked.append(operation)
        if self.down is not None:
            raise self.down
