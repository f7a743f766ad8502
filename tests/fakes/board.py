"""A backlog in four languages, as the slow worker masks it, and a board on it without a broker."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from topics.codec import encode
from topics.gap import Gap, GapMemory, GapReason, GapState, GapSuggestion
from topics.gap_action import GapAction
from topics.reviewed import ReviewedItem, ReviewResult
from workers.board.access import Access
from workers.board.acting import Actor
from workers.board.operations import Operations
from workers.board.render import Pages
from workers.board.shelf import FailureShelf, GapShelf
from workers.board.source import Source
from workers.board.web import Board
from workers.settings import Secret, Settings
from workers.stream.consume import Record

TOKEN = "a token of the team's own"  # noqa: S105 - of the tests
NOW = datetime.now(UTC)
NOW_MS = int(NOW.timestamp() * 1e3)
_DAY_MS = 86_400_000

#: What callers ask: tenant, languages, questions, reason, quotes, blank.
_ASKED: tuple[tuple[Any, ...], ...] = (
    (
        "clinic-riyadh",
        {"ar": ("هل تقبلون بطاقة التأمين رقم [ID] في فرع الملز؟",
                "هل يشمل التأمين جلسات العلاج الطبيعي؟"),
         "en": ("does my insurance cover physiotherapy",)},
        GapReason.MISSING_KNOWLEDGE,
        ("نقبل معظم شركات التأمين في جميع الفروع.",),
        "الإجابة: ____",
    ),
    (
        "bank-delhi",
        {"hi": ("मेरे खाते [ACCOUNT] से चेकबुक कैसे मँगवाऊँ?", "नई चेकबुक कितने दिन में आएगी?"),
         "hinglish": ("naya chequebook kitne din mein aayega",)},
        GapReason.MISSING_KNOWLEDGE,
        ("चेकबुक का अनुरोध शाखा में किया जा सकता है।",),
        "समय: ____",
    ),
    (
        "bank-delhi",
        {"hinglish": ("mera number [PHONE] hai, KYC ka form kahan milega",
                      "kyc form online milta hai kya"),
         "en": ("where do I get the KYC form",)},
        GapReason.NOT_JUDGED,
        (),
        "Place: ____",
    ),
    (
        "shop-london",
        {"en": ("do you deliver to Northern Ireland on Sundays",
                "is there Sunday delivery to [ADDRESS]",
                "can [NAME] sign for my parcel if I am out")},
        GapReason.MISSING_KNOWLEDGE,
        ("We deliver Monday to Saturday.", "Northern Ireland takes two days longer."),
        "Time: ____",
    ),
    (
        "shop-london",
        {"en": ("<script>alert('x')</script> what & \"how\" 'much' is it",)},
        GapReason.MISSING_KNOWLEDGE,
        (),
        "Price: ____",
    ),
    (
        "clinic-riyadh",
        {"ar": ("كم سعر تنظيف الأسنان عندكم في فرع Olaya مول؟",)},
        GapReason.NOT_JUDGED,
        (),
        "السعر: ____",
    ),
)  # fmt: skip


def make_gap(gap_id: str = "a" * 24, **overrides: Any) -> Gap:
    """Make an open gap that seven callers asked."""
    fields: dict[str, Any] = {
        "tenant_id": "acme",
        "state": GapState.OPEN,
        "count": 7,
        "languages": ("en",),
        "examples": ("do you sell rope",),
        "first_seen_ms": NOW_MS - 20 * _DAY_MS,
        "last_seen_ms": NOW_MS,
        "days": {NOW.date().isoformat(): 7},
        "suggestion": GapSuggestion(
            title="do you sell rope",
            questions={"en": ("do you sell rope",)},
            blanks=("Answer: ____",),
        ),
    } | overrides
    return Gap(gap_id=gap_id, **fields)


def sample_gaps(count: int = len(_ASKED)) -> list[Gap]:
    """Make gaps as a team sees them, the most asked first; beyond the first few they repeat."""
    return [_sample(number) for number in range(count)]


def _sample(number: int) -> Gap:
    tenant, questions, reason, quotes, blank = _ASKED[number % len(_ASKED)]
    days = {
        (NOW - timedelta(days=back)).date().isoformat(): (number * 7 + back * 5) % 11 + 2
        for back in range(30)
        if (number + back) % 4
    }
    said = tuple(one for each in questions.values() for one in each)
    return make_gap(
        f"{number:024x}",
        tenant_id=tenant,
        count=sum(days.values()) + 4_000 // (1 + number),
        languages=tuple(sorted(questions)),
        examples=said,
        days=days,
        reason=reason,
        last_seen_ms=NOW_MS - number * 5_000_000,
        suggestion=GapSuggestion(
            title=said[0], questions=dict(questions), quotes=quotes, blanks=(blank,)
        ),
    )


def make_item(number: int = 0, **overrides: Any) -> ReviewedItem:
    """Make a question whose answer search did not bring."""
    fields: dict[str, Any] = {
        "tenant_id": "acme",
        "call_id": f"call {number}",
        "seq": 0,
        "masked_question": "what about rope",
        "result": ReviewResult.NOT_RETRIEVED,
        "entry_id": "rope",
        "rank": 11,
        "reviewed_at_ms": NOW_MS - number * 1_000,
    } | overrides
    return ReviewedItem(**fields)


def sample_items() -> list[ReviewedItem]:
    """Make questions whose answers were not found."""
    asked = (
        ("clinic-riyadh", "opening-hours-ar", "متى تفتحون يوم الجمعة؟", 9),
        ("clinic-riyadh", "opening-hours-ar", "هل أنتم مفتوحون مساء الخميس؟", 14),
        ("bank-delhi", "lost-card", "card kho gaya kya karun", None),
        ("bank-delhi", "lost-card", "मेरा कार्ड [CARD] खो गया है", 30),
        ("bank-delhi", "lost-card", "I cannot find my card", 12),
        ("shop-london", "returns", "the shoes pinch, can they come back to you", 10),
    )
    return [
        make_item(
            number, tenant_id=tenant, entry_id=entry, masked_question=text, rank=rank,
            reviewed_at_ms=NOW_MS - number * _DAY_MS,
        )
        for number, (tenant, entry, text, rank) in enumerate(asked)
    ]  # fmt: skip


def record(event: Any, key: str = "", offset: int = 0) -> Record:
    """Put an event on a topic; None deletes."""
    return Record(
        topic="t",
        partition=0,
        offset=offset,
        timestamp_ms=NOW_MS,
        key=key.encode(),
        value=None if event is None else event if isinstance(event, bytes) else encode(event),
        fetched_s=0.0,
    )


class FakeSource:
    """Shelves without a broker."""

    def __init__(self) -> None:
        self.gaps = GapShelf()
        self.failures = FailureShelf(lambda: NOW_MS)
        self.away: str | None = None

    async def put(self, *events: Gap | ReviewedItem) -> None:
        """Put gaps and reviewed questions onto the shelves."""
        for event in events:
            if isinstance(event, Gap):
                await self.gaps.take(record(event, event.gap_id))
            else:
                await self.failures.take(record(event))


class FakeBroker:
    """Takes actions; a worker that applies them, unless it is told not to."""

    def __init__(self, source: FakeSource) -> None:
        self.source = source
        self.sent: list[GapAction] = []
        #: Raised instead of taking an action.
        self.failing: Exception | None = None
        self.applying = True

    async def send(self, action: GapAction) -> None:
        """Take one."""
        if self.failing is not None:
            raise self.failing
        self.sent.append(action)
        gap = self.source.gaps.gap(action.gap_id)
        if gap is None or not self.applying:
            return
        memory = GapMemory(actions=(*gap.memory.actions, action.action_id))
        states = {"added": GapState.ADDED, "dismissed": GapState.DISMISSED}
        await self.source.put(
            replace(
                gap,
                memory=memory,
                state=states.get(action.kind.value, GapState.OPEN),
                entry_id=action.entry_id,
                merged_into=action.into,
            )
        )


def make_board(**settings: Any) -> tuple[Board, FakeSource, FakeBroker]:
    """Make a board whose topics are in memory; wrong tokens and actions are not waited for."""
    source = FakeSource()
    taken = cast("Source", source)
    broker = FakeBroker(source)
    board = Board(
        source=taken,
        access=Access(Secret(TOKEN)),
        actor=Actor(taken, broker.send, wait_s=0.2),
        operations=Operations(Settings(**settings)),
        pages=Pages(),
        wrong_token_s=0.0,
    )
    return board, source, broker


def repeated(items: Iterable[ReviewedItem], times: int) -> Iterator[ReviewedItem]:
    """Give items several times, each of a call of its own."""
    for item in items:
        for again in range(times):
            yield replace(item, call_id=f"{item.call_id} {again}")
