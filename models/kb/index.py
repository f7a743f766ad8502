"""
The index of all tenants: changed by one writer at a time, searched by anybody meanwhile.

A search sees the snapshot of its tenant that was whole when it began. An update makes new snapshots
aside and puts them in place at once, so no search waits for it, sees half of it, or finds anything
of another tenant.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np

from models.kb.passages import passages
from models.kb.snapshot import Snapshot, prepare
from models.text import MAX_RAW_CHARS, clean
from topics.entry import KbEntry

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from models.encoder import Vectors
    from models.kb.snapshot import Found, Prepared
    from models.runtime import Cancel

#: Entries that a judge reads.
LIMIT = 8
#: Passages of one run of the encoder: what else waits for it waits no longer.
_RUN = 16


class Encodes(Protocol):
    """What the index needs of an encoder; called on the threads that update and search."""

    @property
    def dimension(self) -> int:
        """Width D of a vector."""

    def encode(self, texts: Sequence[str], cancel: Cancel | None = None) -> Vectors:
        """(N, D) unit rows for N cleaned texts."""


@dataclass(frozen=True, slots=True)
class Tombstone:
    """An entry is no more."""

    tenant_id: str
    entry_id: str


class Index:
    """
    Entries of all tenants, by tenant.

    Args:
        encoder: makes all vectors; another one needs another index.
    """

    def __init__(self, encoder: Encodes) -> None:
        self._encoder = encoder
        self._writing = threading.Lock()
        self._prepared: dict[str, dict[str, Prepared]] = {}
        self._snapshots: Mapping[str, Snapshot] = {}

    def __len__(self) -> int:
        """Return how many entries all tenants have."""
        return sum(map(len, self._prepared.values()))

    def update(self, changes: Iterable[KbEntry | Tombstone], cancel: Cancel | None = None) -> None:
        """
        Apply changes in their order, all of them or none. A tenant's index is built anew, so many
        changes at once cost little more than one.

        Args:
            changes: entries that are new or changed, and tombstones; of one entry the last counts.
            cancel: lets another thread stop the encoder.

        Raises:
            InferenceError: the encoder failed or was stopped; nothing is changed.
        """
        last = {(change.tenant_id, change.entry_id): change for change in changes}
        ready = {
            name: self.kept(change) if isinstance(change, KbEntry) else change
            for name, change in last.items()
        }
        fresh = [
            change
            for name, change in last.items()
            if isinstance(change, KbEntry) and ready[name] is None
        ]
        encoded = iter(self._prepare(fresh, cancel))
        self.put([one if one is not None else next(encoded) for one in ready.values()])

    def kept(self, entry: KbEntry) -> Prepared | None:
        """Prepare an entry with the vectors of its last version; None where its texts are new."""
        own = self._prepared.get(entry.tenant_id, {}).get(entry.entry_id)
        if own is None or _text(own.entry) != _text(entry):
            return None
        return replace(own, entry=entry)

    def put(self, ready: Iterable[Prepared | Tombstone]) -> None:
        """
        Apply changes that are prepared, in their order, all at once; encodes nothing.

        Args:
            ready: entries that are new or changed, and tombstones; of one entry the last counts.
        """
        last: dict[str, dict[str, Prepared | None]] = defaultdict(dict)
        for change in ready:
            if isinstance(change, Tombstone):
                last[change.tenant_id][change.entry_id] = None
            else:
                last[change.entry.tenant_id][change.entry.entry_id] = change
        with self._writing:
            prepared, snapshots = dict(self._prepared), dict(self._snapshots)
            for tenant_id, own in last.items():
                every = prepared.pop(tenant_id, {}) | own
                entries = {name: one for name, one in every.items() if one is not None}
                snapshots.pop(tenant_id, None)
                if entries:
                    prepared[tenant_id] = entries
                    snapshots[tenant_id] = Snapshot(entries.values())
            self._prepared, self._snapshots = prepared, snapshots

    def search(
        self,
        tenant_id: str,
        question: str,
        *,
        now_ms: int,
        limit: int = LIMIT,
        vector: Vectors | None = None,
    ) -> tuple[Found, ...]:
        """
        Order a tenant's entries by how near they are to a question.

        Args:
            tenant_id: whose entries.
            question: what the caller asked; of a very long one only the beginning counts.
            now_ms: the present, Unix epoch; only the age of entries counts from here.
            limit: entries, at most.
            vector: (D,) the cleaned question's, where it is encoded already.

        Returns:
            The best first; nothing for a tenant without entries.

        Raises:
            InferenceError: the encoder failed.
        """
        snapshot = self._snapshots.get(tenant_id)
        if snapshot is None:
            return ()
        asked = clean(question[:MAX_RAW_CHARS]).text
        if vector is None:
            (vector,) = self._encoder.encode([asked])
        return snapshot.search(asked, vector, now_ms=now_ms, limit=limit)

    def entries(self, tenant_id: str) -> tuple[KbEntry, ...]:
        """Return a tenant's entries, by id."""
        snapshot = self._snapshots.get(tenant_id)
        return () if snapshot is None else snapshot.entries

    def _prepare(self, entries: Sequence[KbEntry], cancel: Cancel | None) -> list[Prepared]:
        texts = [passages(entry.title, entry.content) for entry in entries]
        vectors = self._encode([text for own in texts for text in own], cancel)
        found, start = [], 0
        for entry, own in zip(entries, texts, strict=True):
            found.append(prepare(entry, vectors[start : start + len(own)]))
            start += len(own)
        return found

    def _encode(self, texts: Sequence[str], cancel: Cancel | None) -> Vectors:
        runs = [
            self._encoder.encode(texts[start : start + _RUN], cancel)
            for start in range(0, len(texts), _RUN)
        ]
        return np.concatenate(runs) if runs else np.empty((0, self._encoder.dimension), np.float32)


def _text(entry: KbEntry) -> tuple[str, str]:
    return entry.title, entry.content
