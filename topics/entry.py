"""`kb.entries`: the knowledge base of a tenant; compacted, a null value deletes."""

from dataclasses import dataclass
from typing import Literal

from topics.fields import EpochMs, Id


@dataclass(frozen=True, slots=True, kw_only=True)
class KbEntry:
    """One entry. Only title, content, category and lang ever reach a judge."""

    #: The tenant that owns the entry.
    tenant_id: Id
    #: The entry; the Kafka key is tenant and entry, and must be.
    entry_id: Id
    #: What it is about; more than 1,000 characters are refused.
    title: str
    #: What it says; more than 20,000 characters are refused, and one fact an entry is found best.
    content: str
    #: Where it belongs.
    category: str | None = None
    #: Language of the content, as a BCP 47 tag.
    lang: str | None = None
    #: When it last changed, Unix epoch, milliseconds.
    updated_at_ms: EpochMs | None = None
    #: Version of this event's format.
    schema_version: Literal[1] = 1
