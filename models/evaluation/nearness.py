"""How near a tenant's entries are to a question: the largest cosine to a passage of theirs."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import msgspec

from models.kb.passages import passages

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from models.encoder import Encoder, Vectors


class Entry(msgspec.Struct, frozen=True):
    """An entry of a tenant's knowledge base."""

    tenant: str
    title: str
    content: str


class Nearness:
    """The passages of each tenant's entries, encoded."""

    def __init__(self, entries: Iterable[Entry], encoder: Encoder) -> None:
        texts: defaultdict[str, list[str]] = defaultdict(list)
        for entry in entries:
            texts[entry.tenant] += passages(entry.title, entry.content)
        self._vectors = {tenant: encoder.encode(own) for tenant, own in texts.items()}

    def of(self, tenants: Sequence[str | None], vectors: Vectors) -> list[float | None]:
        """
        Give the nearness of each question; None where its tenant has no entries.

        Args:
            tenants: N tenants.
            vectors: (N, D) of their questions.

        """
        return [
            float((self._vectors[tenant] @ vector).max()) if tenant in self._vectors else None
            for tenant, vector in zip(tenants, vectors, strict=True)
        ]
