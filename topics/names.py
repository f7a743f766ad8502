"""Every topic: its name, its event, and how it is kept."""

from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import quote

from topics.dead_letter import DeadLetter
from topics.decision import Decision
from topics.denial import Denial
from topics.entry import KbEntry
from topics.gap import Gap
from topics.gap_action import GapAction
from topics.prediction import TurnPredictions
from topics.profile import AgentProfile
from topics.question import KbQuestion
from topics.review import ReviewItem
from topics.reviewed import ReviewedItem
from topics.utterance import Utterance
from topics.verdict import KbVerdict

_HOUR_MS = 3_600_000
_DAY_MS = 24 * _HOUR_MS

#: Partitions of the topics keyed by call: the most hot workers that one deployment can use.
CALL_PARTITIONS = 8
#: Partitions of the small topics.
SMALL_PARTITIONS = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """One topic and how it is kept."""

    #: Name without the deployment's prefix.
    name: str
    #: The event on it.
    event: type[Any]
    #: What the record's key is, in words.
    key: str
    #: Who writes it: `in` agents and tools, `out` the worker, `internal` between our workers.
    direction: Literal["in", "out", "internal"]
    #: Partitions that it is created with; topics of one call share the number, so that predictions
    #: and utterances of a call reach one worker.
    partitions: int = CALL_PARTITIONS
    #: The latest record of a key is kept for ever.
    compacted: bool = False
    #: How long records are kept, milliseconds; not used where compacted.
    retention_ms: int = _DAY_MS

    @property
    def config(self) -> dict[str, str]:
        """Topic settings for the broker."""
        if self.compacted:
            return {"cleanup.policy": "compact"}
        return {"cleanup.policy": "delete", "retention.ms": str(self.retention_ms)}


PROFILES = Topic(
    name="agent.profiles",
    event=AgentProfile,
    key="tenant_id/agent_id, each percent-encoded",
    direction="in",
    partitions=SMALL_PARTITIONS,
    compacted=True,
)
PREDICTIONS = Topic(
    name="turn.predictions",
    event=TurnPredictions,
    key="call_id",
    direction="in",
    retention_ms=_HOUR_MS,
)
UTTERANCES = Topic(name="turn.utterances", event=Utterance, key="call_id", direction="in")
DECISIONS = Topic(
    name="turn.decisions", event=Decision, key="call_id", direction="out", retention_ms=7 * _DAY_MS
)
DENIALS = Topic(
    name="pair.denials",
    event=Denial,
    key="tenant_id/pair, each percent-encoded",
    direction="in",
    partitions=SMALL_PARTITIONS,
    compacted=True,
)
ENTRIES = Topic(
    name="kb.entries",
    event=KbEntry,
    key="tenant_id/entry_id, each percent-encoded",
    direction="in",
    partitions=SMALL_PARTITIONS,
    compacted=True,
)
QUESTIONS = Topic(name="kb.questions", event=KbQuestion, key="call_id", direction="in")
VERDICTS = Topic(
    name="kb.verdicts", event=KbVerdict, key="call_id", direction="out", retention_ms=7 * _DAY_MS
)
REVIEW = Topic(name="kb.review", event=ReviewItem, key="tenant_id", direction="internal")
REVIEWED = Topic(
    name="kb.reviewed",
    event=ReviewedItem,
    key="tenant_id",
    direction="out",
    retention_ms=30 * _DAY_MS,
)
GAPS = Topic(
    name="kb.gaps",
    event=Gap,
    key="gap_id",
    direction="out",
    partitions=SMALL_PARTITIONS,
    compacted=True,
)
GAP_ACTIONS = Topic(
    name="kb.gap.actions",
    event=GapAction,
    key="tenant_id",
    direction="in",
    retention_ms=7 * _DAY_MS,
)
DEAD_LETTERS = Topic(
    name="dead.letters",
    event=DeadLetter,
    key="none",
    direction="out",
    partitions=SMALL_PARTITIONS,
    retention_ms=30 * _DAY_MS,
)

#: All of them, in the order of the documentation.
TOPICS = (
    PROFILES,
    PREDICTIONS,
    UTTERANCES,
    DECISIONS,
    DENIALS,
    ENTRIES,
    QUESTIONS,
    VERDICTS,
    REVIEW,
    REVIEWED,
    GAPS,
    GAP_ACTIONS,
    DEAD_LETTERS,
)

#: What one call goes through: only with equal partition counts does one worker see all of it.
COPARTITIONED = (PREDICTIONS, UTTERANCES, DECISIONS)
#: What one tenant's gaps are made of: only with equal partition counts does one slow worker see it.
TENANT_COPARTITIONED = (REVIEW, GAP_ACTIONS)


def pair_key(tenant_id: str, part_id: str) -> bytes:
    """
    Make the record key of what a tenant owns.

    For everyday ids it is `tenant/part`; percent-encoding keeps two pairs apart where an id holds a
    slash, or compaction would delete one tenant's record for another's.
    """
    return f"{quote(tenant_id, safe='')}/{quote(part_id, safe='')}".encode()
