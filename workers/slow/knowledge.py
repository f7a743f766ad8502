"""What a tenant's gaps are judged by: the judge and the entries, and what of them has changed."""

import hashlib
from collections import OrderedDict
from collections.abc import Mapping

from models.kb import Index
from topics.entry import KbEntry

#: States of a tenant's entries that are remembered, to judge by what changed since; a gap that was
#: judged by an older one is judged by all.
_REMEMBERED = 8

#: Digest of each entry's texts, by id.
Contents = Mapping[str, bytes]


class Knowledge:
    """Names the states of the entries of all tenants."""

    def __init__(self, index: Index, judge: str | None) -> None:
        self._index = index
        self._judge = judge or "none"
        self._last: dict[str, tuple[tuple[KbEntry, ...], str]] = {}
        self._states: OrderedDict[tuple[str, str], Contents] = OrderedDict()

    def state(self, tenant_id: str) -> str:
        """Name the judge and the entries as they are now."""
        entries = self._index.entries(tenant_id)
        last = self._last.get(tenant_id)
        if last is not None and last[0] is entries:
            return last[1]
        contents = {one.entry_id: _digest(one) for one in entries}
        whole = hashlib.sha256(self._judge.encode())
        for entry_id, digest in sorted(contents.items()):
            whole.update(hashlib.sha256(entry_id.encode("utf-8", "surrogatepass")).digest())
            whole.update(digest)
        name = whole.hexdigest()[:16]
        self._last[tenant_id] = (entries, name)
        self._states[tenant_id, name] = contents
        self._states.move_to_end((tenant_id, name))
        self._trim(tenant_id)
        return name

    def changed(self, tenant_id: str, since: str) -> frozenset[str] | None:
        """
        Name the entries that are new, changed or gone since a state; None where that is not known.
        """
        before = self._states.get((tenant_id, since))
        now = self._states.get((tenant_id, self.state(tenant_id)))
        if before is None or now is None:
            return None
        return frozenset(
            entry_id
            for entry_id in before.keys() | now.keys()
            if before.get(entry_id) != now.get(entry_id)
        )

    def _trim(self, tenant_id: str) -> None:
        own = [key for key in self._states if key[0] == tenant_id]
        for key in own[:-_REMEMBERED]:
            del self._states[key]


def _digest(entry: KbEntry) -> bytes:
    said = "\0".join((entry.title, entry.content, entry.category or "", entry.lang or ""))
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).digest()[:8]
