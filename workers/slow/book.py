"""All gaps of all tenants, as `kb.gaps` has them; read back from there whenever ownership moves."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from models.encoder import Vectors
from models.kb.index import Encodes
from models.runtime import Cancel
from topics.gap import Gap
from workers.inference import Inference
from workers.slow.ledger import Ledger, repaired
from workers.slow.running import run

#: Wordings of one inference.
_CHUNK = 16


class Book:
    """The ledgers of all tenants."""

    def __init__(self, encoder: Encodes, inference: Inference) -> None:
        self._encoder = encoder
        self._inference = inference
        self._ledgers: dict[str, Ledger] = {}

    def of(self, tenant_id: str) -> Ledger:
        """Return a tenant's ledger; an empty one for a tenant without gaps."""
        return self._ledgers.setdefault(tenant_id, Ledger(self._encoder.dimension))

    def find(self, gap_id: str) -> Gap | None:
        """Return the record of a gap, whoever's it is; None where there is none."""
        found = (ledger.get(gap_id) for ledger in self._ledgers.values())
        return next((gap for gap in found if gap is not None), None)

    def tenants(self) -> tuple[str, ...]:
        """Name the tenants that have gaps."""
        return tuple(name for name, ledger in self._ledgers.items() if len(ledger))

    def states(self) -> Counter[tuple[str, str]]:
        """Count the gaps of all tenants by state and reason."""
        return Counter((gap.state.value, gap.reason.value) for gap in self._gaps())

    async def load(self, gaps: Sequence[Gap]) -> list[Gap]:
        """
        Begin anew with the records of `kb.gaps`.

        Returns:
            Records that are to be stored: second halves of merges and splits that were cut short.

        Raises:
            InferenceError: the encoder failed.

        """
        by_tenant: dict[str, dict[str, Gap]] = defaultdict(dict)
        for gap in gaps:
            by_tenant[gap.tenant_id][gap.gap_id] = gap
        owed: list[Gap] = []
        ledgers: dict[str, Ledger] = {}
        for tenant_id, own in by_tenant.items():
            missing = repaired(tuple(own.values()))
            owed += missing
            whole = own | {gap.gap_id: gap for gap in missing}
            ledgers[tenant_id] = Ledger(self._encoder.dimension)
            await self._fill(ledgers[tenant_id], tuple(whole.values()))
        self._ledgers = ledgers
        return owed

    async def vectors(self, texts: Sequence[str]) -> dict[str, Vectors]:
        """
        Encode masked questions, (D,) each, by text.

        Raises:
            InferenceError: the encoder failed.

        """
        found: dict[str, Vectors] = {}
        every = list(dict.fromkeys(texts))
        for start in range(0, len(every), _CHUNK):
            found |= await self._encoded(every[start : start + _CHUNK])
        return found

    async def _encoded(self, texts: list[str]) -> Mapping[str, Vectors]:
        def work(cancel: Cancel) -> Vectors:
            return self._encoder.encode(texts, cancel)

        return dict(zip(texts, await run(self._inference, work), strict=True))

    async def _fill(self, ledger: Ledger, gaps: Sequence[Gap]) -> None:
        vectors = await self.vectors([one.text for gap in gaps for one in gap.memory.members])
        # Gaps that were split from another come last: what both remember is theirs.
        for gap in sorted(gaps, key=lambda one: (one.split_from is not None, one.gap_id)):
            ledger.put(gap, vectors)

    def _gaps(self) -> Iterator[Gap]:
        for ledger in self._ledgers.values():
            yield from ledger.gaps()
