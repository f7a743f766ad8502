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
        last: dict[str, dict[str, KbEntry | None]] = defaultdict(dict)
        for change in changes:
            entry = change if isinstance(change, KbEntry) else None
            last[change.tenant_id][change.entry_id] = entry
        with self._writing:
            prepared = {
                tenant_id: self._changed(self._prepared.get(tenant_id, {}), own, cancel)
                for tenant_id, own in last.items()
            }
            snapshots = dict(self._snapshots)
            for tenant_id, entries in prepared.items():
                snapshots.pop(tenant_id, None)
                if entries:
                    snapshots[tenant_id] = Snapshot(entries.values())
            self._prepared = {
                tenant_id: entries
                for tenant_id, entries in (self._prepared | prepared).items()
                if entries
            }
            self._snapshots = snapshots

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

    def _changed(
        self,
        known: Mapping[str, Prepared],
        changes: Mapping[str, KbEntry | None],
        cancel: Cancel | None,
    ) -> dict[str, Prepared]:
        """What a tenant has after the changes; what only moved in time keeps its vectors."""
        found = {name: one for name, one in known.items() if name not in changes}
        fresh: dict[str, tuple[KbEntry, list[str]]] = {}
        for name, entry in changes.items():
            if entry is None:
                continue
            own = known.get(name)
            if own is not None and _text(own.entry) == _text(entry):
                found[name] = replace(own, entry=entry)
            else:
                fresh[name] = (entry, passages(entry.title, entry.content))
        vectors = self._encode([text for _, texts in fresh.values() for text in texts], cancel)
        start = 0
        for name, (entry, texts) in fresh.items():
            found[name] = prepare(entry, vectors[start : start + len(texts)])
            start += len(texts)
        return found

    def _encode(self, texts: Sequence[str], cancel: Cancel | None) -> Vectors:
        runs = [
            self._encoder.encode(texts[start : start + _RUN], cancel)
            for start in range(0, len(texts), _RUN)
        ]
        return np.concatenate(runs) if runs else np.empty((0, self._encoder.dimension), np.float32)


def _text(entry: KbEntry) -> tuple[str, str]:
    return entry.title, entry.content
