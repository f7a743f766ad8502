"""
`kb.entries` in: the entries of every tenant, encoded beside the hot path and put into the index.

Taking a record is quick; all work waits for a task of its own. That encodes a few passages at a
time, behind everything that anybody waits for, collects what is done for a moment, and puts it in
place at once, so that neither turns nor questions wait for an update.
"""

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from models.encoder import Vectors
from models.errors import InferenceError
from models.kb import Index, Prepared, Tombstone, prepare
from models.kb.index import Encodes
from models.kb.limits import Admission, Limits
from models.kb.passages import passages
from models.runtime import Cancel
from topics.codec import DecodeError, decode_compacted
from topics.codec import Tombstone as NoValue
from topics.entry import KbEntry
from topics.names import pair_key
from workers import metrics
from workers.deadline import Deadline
from workers.errors import TooLate
from workers.inference import Inference, Priority
from workers.stream.consume import Record

_log = logging.getLogger(__name__)

#: Larger records hold longer texts than any that is read, bytes: six a character, escaped.
MAX_RECORD_BYTES = 163_840
#: Passages of one inference: a turn that arrives meanwhile waits for no more than these.
_CHUNK = 2
#: How long one inference may wait and run before it is tried again, seconds.
_CHUNK_S = 30.0
#: What is encoded is collected for this long before it is put in place, seconds: a tenant's index
#: is built anew each time.
_COLLECT_S = 1.0
#: Building is followed by a rest from building of so many times its own time, since it holds up the
#: interpreter; meanwhile more is encoded.
_REST = 4
#: Pause before the next try of what failed, seconds, and tries before an entry is given up.
_PAUSE_S = 0.5
_TRIES = 3
#: Records after which others get their turn while many arrive at once.
_BREATHE = 16
_COMPONENT = "kb_index"

#: Takes a record that is no entry; returns at once.
Refuse = Callable[[Record, DecodeError], None]
_Name = tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Change:
    """What an entry became, None for deleted, and the record that says so."""

    entry: KbEntry | None
    record: Record


class Entries:
    """Keeps the index as the topic has it; used through `take` and `keep_up`."""

    def __init__(
        self,
        index: Index,
        *,
        encoder: Encodes,
        inference: Inference,
        refuse: Refuse,
        limits: Limits,
    ) -> None:
        self._index = index
        self._encoder = encoder
        self._inference = inference
        self._refuse = refuse
        self._admission = Admission(limits)
        #: Which entry each record key set, so that a tombstone finds it.
        self._by_key: dict[bytes, _Name] = {}
        #: What changed and is not in the index; of an entry the last change, in order of arrival.
        self._waiting: dict[_Name, _Change] = {}
        self._changed = asyncio.Event()
        #: Changes that are being encoded or put in place.
        self._in_work = 0
        self._taken = 0
        self._all_read = False
        self._ready = False
        self._broken = False
        metrics.DEGRADED.labels(_COMPONENT).set(1)

    @property
    def ready(self) -> bool:
        """Whether everything is searched that the topic held at the start."""
        return self._ready

    def all_read(self) -> None:
        """Say that everything that the topic held at the start was taken."""
        self._all_read = True
        self._changed.set()

    async def take(self, record: Record) -> None:
        """Take one record: an entry, or a tombstone that deletes one."""
        self._taken += 1
        if self._taken % _BREATHE == 0:
            await asyncio.sleep(0)
        try:
            entry = self._read(record)
        except DecodeError as error:
            self._refuse(record, error)
            return
        key = record.key or b""
        if isinstance(entry, NoValue):
            name = self._by_key.pop(key, None)
            if name is not None:
                self._admission.forget(*name)
                self._change(name, _Change(None, record))
            return
        name = (entry.tenant_id, entry.entry_id)
        reason = self._admission.admit(entry)
        if reason is None:
            self._by_key[key] = name
            self._change(name, _Change(entry, record))
            return
        self._refuse(record, DecodeError(reason, raw=record.value or b""))
        if self._by_key.pop(key, None) is not None:
            # What is known of it is no longer so.
            self._change(name, _Change(None, record))

    async def keep_up(self) -> None:
        """Bring the index up to what was taken; runs for ever."""
        rested = Deadline.after(0)
        while True:
            await self._changed.wait()
            self._changed.clear()
            while self._waiting:
                ready = await self._prepare(rested)
                await asyncio.sleep(rested.left_s())
                rested = Deadline.after(_REST * await self._put(ready))
                self._in_work = 0
                self._count()
            self._ready = self._ready or self._all_read
            metrics.DEGRADED.labels(_COMPONENT).set(self._broken or not self._ready)

    @staticmethod
    def _read(record: Record) -> KbEntry | NoValue:
        if record.value is not None and len(record.value) > MAX_RECORD_BYTES:
            raise DecodeError("record too large for an entry", raw=record.value)
        entry = decode_compacted(KbEntry, record.value)
        if isinstance(entry, KbEntry) and record.key != pair_key(entry.tenant_id, entry.entry_id):
            raise DecodeError(
                "record key is not tenant_id/entry_id, each percent-encoded",
                raw=record.value or b"",
            )
        return entry

    def _change(self, name: _Name, change: _Change) -> None:
        self._waiting[name] = change
        self._count()
        self._changed.set()

    def _count(self) -> None:
        metrics.KB_WAITING.set(len(self._waiting) + self._in_work)
        metrics.KB_ENTRIES.set(len(self._index))

    async def _prepare(self, rested: Deadline) -> list[Prepared | Tombstone]:
        """Prepare what waits, until nothing does or it is time to put it in place."""
        enough = Deadline.after(max(_COLLECT_S, rested.left_s()))
        ready: list[Prepared | Tombstone] = []
        while self._waiting and not enough.passed:
            name = next(iter(self._waiting))
            change = self._waiting.pop(name)
            self._in_work += 1
            if change.entry is None:
                ready.append(Tombstone(*name))
                continue
            prepared = self._index.kept(change.entry) or await self._encoded(change.entry)
            if prepared is not None:
                ready.append(prepared)
            else:
                ready.append(Tombstone(*name))
                self._give_up(name, change)
        return ready

    async def _encoded(self, entry: KbEntry) -> Prepared | None:
        """Prepare an entry; None where it cannot be encoded."""
        texts = await asyncio.to_thread(passages, entry.title, entry.content)
        for tries_left in reversed(range(_TRIES)):
            try:
                vectors = [
                    await self._encode(texts[start : start + _CHUNK])
                    for start in range(0, len(texts), _CHUNK)
                ]
            except InferenceError as error:
                _log.warning("kb_entry_not_encoded", extra={"error": type(error).__name__})
                if tries_left:
                    await asyncio.sleep(_PAUSE_S)
            else:
                return await asyncio.to_thread(prepare, entry, np.concatenate(vectors))
        return None

    async def _encode(self, texts: list[str]) -> Vectors:
        def work(cancel: Cancel) -> Vectors:
            return self._encoder.encode(texts, cancel)

        while True:
            try:
                return await self._inference.run(
                    work, deadline=Deadline.after(_CHUNK_S), priority=Priority.ENTRY
                )
            except TooLate:
                # Others have needed the executor all the time; nobody waits for us.
                await asyncio.sleep(_PAUSE_S)

    def _give_up(self, name: _Name, change: _Change) -> None:
        if name in self._waiting:
            return  # a later version is on its way
        self._admission.forget(*name)
        self._by_key.pop(change.record.key or b"", None)
        self._refuse(change.record, DecodeError("could not be encoded", raw=b""))

    async def _put(self, ready: list[Prepared | Tombstone]) -> float:
        """Put changes in place; returns how long that took, seconds."""
        started_s = time.monotonic()
        by_tenant: dict[str, list[Prepared | Tombstone]] = defaultdict(list)
        for one in ready:
            tenant_id = one.tenant_id if isinstance(one, Tombstone) else one.entry.tenant_id
            by_tenant[tenant_id].append(one)
        for changes in by_tenant.values():
            try:
                await asyncio.to_thread(self._index.put, changes)
            except Exception as error:  # noqa: BLE001 - turns go on, and other tenants' entries too
                # Until a restart reads all entries again, since these are lost.
                self._broken = True
                _log.error("kb_index_degraded", extra={"error": type(error).__name__})
        return time.monotonic() - started_s
