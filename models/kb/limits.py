"""How much of a knowledge base fits: an entry, a tenant, all tenants."""

from collections import Counter
from dataclasses import dataclass

from models.kb.passages import PASSAGE_WORDS
from models.kb.reading import MAX_ENTRY_CHARS
from topics.entry import KbEntry

#: Characters of a title: what is longer is content.
MAX_TITLE_CHARS = 1_000
#: Characters of one passage, about as many as its words have: text without spaces counts too.
_PASSAGE_CHARS = 10 * PASSAGE_WORDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Passages that the index holds; one takes about 13 KB, twice that while it is built anew."""

    #: Of one tenant.
    tenant: int
    #: Of all tenants together.
    all: int


def too_long(entry: KbEntry) -> str | None:
    """Say which text of an entry is longer than any that is read; None where none is."""
    if len(entry.title) > MAX_TITLE_CHARS:
        return f"title is longer than {MAX_TITLE_CHARS} characters"
    if len(entry.content) > MAX_ENTRY_CHARS:
        return f"content is longer than {MAX_ENTRY_CHARS} characters"
    return None


def size(entry: KbEntry) -> int:
    """Estimate an entry's passages by its words and characters, at least one."""
    words = len(entry.content.split())
    return 1 + max(words // PASSAGE_WORDS, len(entry.content) // _PASSAGE_CHARS)


class Admission:
    """Keeps account of what was let in; an entry that does not fit is not let in."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._sizes: dict[tuple[str, str], int] = {}
        self._of_tenant: Counter[str] = Counter()
        self._of_all = 0

    def __len__(self) -> int:
        """Return how many entries are in."""
        return len(self._sizes)

    def admit(self, entry: KbEntry) -> str | None:
        """
        Let an entry in, in place of its earlier version; or say why it cannot be, and then no
        version of it is in.
        """
        self.forget(entry.tenant_id, entry.entry_id)
        reason = too_long(entry)
        if reason is not None:
            return reason
        needed = size(entry)
        if self._of_tenant[entry.tenant_id] + needed > self._limits.tenant:
            return f"the tenant has more than {self._limits.tenant} passages"
        if self._of_all + needed > self._limits.all:
            return f"all tenants together have more than {self._limits.all} passages"
        self._sizes[entry.tenant_id, entry.entry_id] = needed
        self._of_tenant[entry.tenant_id] += needed
        self._of_all += needed
        return None

    def forget(self, tenant_id: str, entry_id: str) -> None:
        """Take an entry out, if it is in."""
        freed = self._sizes.pop((tenant_id, entry_id), 0)
        self._of_all -= freed
        self._of_tenant[tenant_id] -= freed
        if self._of_tenant[tenant_id] <= 0:
            del self._of_tenant[tenant_id]
