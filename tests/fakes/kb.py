"""The knowledge-base parts of a hot worker on fakes, and factories for their events."""

import time
from collections.abc import Mapping
from typing import Any

from models.errors import InferenceCancelled, InferenceError
from models.kb import Index
from models.kb.limits import Limits
from tests.fakes.cache import MemoryCache
from tests.fakes.models import FakeEncoder
from tests.fakes.stream import MemoryPublisher, make_record
from topics.codec import decode
from topics.entry import KbEntry
from topics.names import pair_key
from topics.profile import AgentProfile, KnowledgeProfile, Mode
from topics.question import CandidateEntry, KbQuestion
from topics.review import ReviewItem
from topics.verdict import KbVerdict
from workers.hot.dead_letters import DeadLetters
from workers.inference import Inference
from workers.kb.answer import Desk
from workers.kb.entries import Entries
from workers.kb.judges import OnnxJudge
from workers.kb.questions import Questions
from workers.keys import Keys

OTHER, NEAR = (0.9, 0.1, 0.0, 0.0), (0.1, 0.8, 0.1, 0.0)
PART, WHOLE = (0.0, 0.2, 0.6, 0.2), (0.0, 0.1, 0.2, 0.7)
#: A budget that no busy machine overruns by itself, milliseconds.
UNHURRIED_MS = 20_000


class FakeAnswerModel:
    """Gives an entry the probabilities of its content's table, else those of another subject."""

    def __init__(self, known: Mapping[str, Any] | None = None) -> None:
        self.fingerprint = "answer-1"
        self.threshold = 0.5
        self.known = dict(known or {})
        #: Question and entries of each call.
        self.asked: list[tuple[str, tuple[Any, ...]]] = []
        self.failing = False
        #: How long an entry takes, seconds, by its content; until it is cancelled.
        self.slow_s: dict[str, float] = {}

    def judge(self, question, entries, cancel=None):
        """Judge from the table."""
        self.asked.append((question, tuple(entries)))
        if self.failing:
            raise InferenceError("broken")
        until_s = time.monotonic() + sum(self.slow_s.get(one.content, 0) for one in entries)
        while time.monotonic() < until_s:
            if cancel is not None and cancel.is_set:
                raise InferenceCancelled("stopped")
            time.sleep(0.001)
        return tuple(self.known.get(one.content, OTHER) for one in entries)


def make_question(*contents: str, **overrides) -> KbQuestion:
    """Make a question of a live agent, with candidates of these contents, ids c0, c1 and so on."""
    fields: dict[str, Any] = {
        "tenant_id": "t",
        "agent_id": "live",
        "call_id": "c",
        "seq": 1,
        "question": "how much is gold",
        "asked_at_ms": int(time.time() * 1e3),
        "candidates": tuple(
            CandidateEntry(entry_id=f"c{place}", title="Title", content=content)
            for place, content in enumerate(contents)
        ),
    } | overrides
    return KbQuestion(**fields)


def make_entry(entry_id: str, **overrides) -> KbEntry:
    """Make an entry of tenant t."""
    fields: dict[str, Any] = {
        "tenant_id": "t",
        "title": f"Title {entry_id}",
        "content": f"Content {entry_id}.",
    } | overrides
    return KbEntry(entry_id=entry_id, **fields)


def entry_record(entry: KbEntry, **overrides):
    """Make the record of an entry."""
    key = pair_key(entry.tenant_id, entry.entry_id)
    return make_record(entry, **{"topic": "kb.entries", "key": key} | overrides)


class Knowledge:
    """All parts of the knowledge-base judge on fakes."""

    def __init__(self, inference: Inference) -> None:
        # Fakes have the interface that is used, not the types.
        self.encoder: Any = FakeEncoder()
        self.model: Any = FakeAnswerModel()
        self.cache: Any = MemoryCache()
        self.publisher: Any = MemoryPublisher()
        self.inference = inference
        self.index = Index(self.encoder)
        self.refused: list[tuple[Any, str]] = []
        self.entries = self.new_entries()
        self.profiles = {
            ("t", mode.value): AgentProfile(
                tenant_id="t",
                agent_id=mode.value,
                version=1,
                knowledge=KnowledgeProfile(mode=mode),
            )
            for mode in Mode
        }
        self.rewire()

    def new_entries(self, *, tenant: int = 1_000, every: int = 1_000) -> Entries:
        """Make a follower of the topic, with limits."""
        return Entries(
            self.index,
            encoder=self.encoder,
            inference=self.inference,
            refuse=lambda record, error: self.refused.append((record, error.reason)),
            limits=Limits(tenant=tenant, all=every),
        )

    def rewire(self, *, judge: Any = None, budget_ms: int = UNHURRIED_MS) -> None:
        """Build the agent anew, as a worker that was started again."""
        self.desk = Desk(
            judge=judge or OnnxJudge(self.model, self.inference),
            index=self.index,
            entries=self.entries,
            encoder=self.encoder,
            inference=self.inference,
            profiles=self.profiles,
            budget_ms=budget_ms,
        )
        self.questions = Questions(
            self.desk,
            cache=self.cache,
            keys=Keys("s"),
            publisher=self.publisher,
            dead_letters=DeadLetters(self.publisher, ""),
            prefix="",
        )

    async def ask(self, question: KbQuestion, **record: Any) -> KbVerdict:
        """Handle a question and return the verdict that was published last."""
        await self.questions.handle(make_record(question, topic="kb.questions", **record))
        return self.verdicts()[-1]

    def verdicts(self) -> list[KbVerdict]:
        """Return all published verdicts."""
        return [decode(KbVerdict, value) for value in self.publisher.on("kb.verdicts")]

    def reviews(self) -> list[ReviewItem]:
        """Return all published review items."""
        return [decode(ReviewItem, value) for value in self.publisher.on("kb.review")]
