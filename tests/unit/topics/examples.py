"""One full example of each event, every field set, and one with the required fields only."""

from topics.dead_letter import DeadLetter, dead_letter
from topics.decision import (
    Candidate,
    Decision,
    Kind,
    Reason,
    RouteScores,
    Status,
    WouldHave,
    decision_id,
)
from topics.denial import Denial
from topics.entry import KbEntry
from topics.gap import (
    Gap,
    GapMember,
    GapMemory,
    GapReason,
    GapState,
    GapSuggestion,
    Tally,
)
from topics.gap_action import GapAction, GapActionKind
from topics.prediction import Prediction, TurnPredictions
from topics.profile import (
    AgentProfile,
    Intent,
    KnowledgeProfile,
    MatchProfile,
    Mode,
    RouterProfile,
)
from topics.question import CandidateEntry, KbQuestion
from topics.review import ReviewCause, ReviewItem
from topics.reviewed import ReviewedItem, ReviewResult
from topics.utterance import Utterance
from topics.verdict import JudgedEntry, KbVerdict, VerdictStatus, verdict_id

NOW_MS = 1_795_000_000_000

FULL = (
    Utterance(
        tenant_id="acme",
        agent_id="desk",
        call_id="call-1",
        seq=3,
        text="نعم، غدا الساعة التاسعة",
        said_at_ms=NOW_MS,
        language="ar",
        agent_text="متى يناسبك؟",
    ),
    TurnPredictions(
        tenant_id="acme",
        agent_id="desk",
        call_id="call-1",
        seq=4,
        created_at_ms=NOW_MS,
        predictions=(
            Prediction(
                prediction_id="p1",
                text="हाँ, कल सुबह",
                response_ref="audio/1.opus",
                response={"text": "Theek hai.", "marks": [1, 2.5, None, True]},
                side_effect=True,
            ),
            Prediction(prediction_id="p2", text="no"),
        ),
        ttl_ms=60_000,
    ),
    Decision(
        decision_id=decision_id("acme", "call-1", 4),
        tenant_id="acme",
        agent_id="desk",
        call_id="call-1",
        seq=4,
        kind=Kind.SERVE,
        status=Status.OK,
        mode=Mode.LIVE,
        reasons=(Reason.JUDGED, Reason.JUDGE_DEGRADED),
        route_mode=Mode.SHADOW,
        playable=True,
        prediction_id="p1",
        intent="book",
        response_ref="audio/1.opus",
        response={"text": "Theek hai."},
        would_have=WouldHave(kind=Kind.ROUTE, prediction_id="p2", intent="book"),
        language="hinglish",
        candidates=(
            Candidate(prediction_id="p1", cosine=0.93, logit=4.2, guard="script"),
            Candidate(prediction_id="p2"),
        ),
        route=RouteScores(
            candidate="book", runner_up="cancel", score=0.83, margin=0.21, confidence=0.97
        ),
        predictions=2,
        thresholds={"judge": 1.5, "route": 0.81},
        bundles={"judge": "0f" * 32},
        profile_version=7,
        received_at_ms=NOW_MS,
        decided_at_ms=NOW_MS + 12,
        timings_ms={"total": 11.75},
    ),
    AgentProfile(
        tenant_id="acme",
        agent_id="desk",
        version=7,
        match=MatchProfile(mode=Mode.LIVE, min_logit=2.5, budget_ms=60),
        router=RouterProfile(mode=Mode.SHADOW, target_accuracy=0.97, out_of_scope_share=0.3),
        knowledge=KnowledgeProfile(mode=Mode.OFF),
        intents=(
            Intent(
                name="hours",
                examples=("when are you open",),
                response_ref="audio/hours.opus",
                response="Nine to five.",
                side_effect=True,
            ),
        ),
        validation_phrases={"hours": ("are you open now",)},
        out_of_scope_phrases=("what is love",),
    ),
    Denial(
        tenant_id="acme",
        pair="0123456789abcdef0123456789abcdef",
        denied_at_ms=NOW_MS,
        by="kim",
        decision_id="d1",
    ),
    KbEntry(
        tenant_id="acme",
        entry_id="e1",
        title="Opening hours",
        content="Nine to five.",
        category="general",
        lang="en",
        updated_at_ms=NOW_MS,
    ),
    KbQuestion(
        tenant_id="acme",
        agent_id="desk",
        call_id="call-1",
        seq=5,
        question="when do you close",
        asked_at_ms=NOW_MS,
        candidates=(
            CandidateEntry(
                entry_id="e1",
                title="Opening hours",
                content="Nine to five.",
                category="general",
                lang="en",
            ),
        ),
    ),
    KbVerdict(
        verdict_id=verdict_id("acme", "call-1", 5),
        tenant_id="acme",
        call_id="call-1",
        seq=5,
        status=VerdictStatus.PARTIAL,
        answerable=True,
        entries=(
            JudgedEntry(entry_id="e1", rank=0, level=3, probabilities=(0.0, 0.1, 0.2, 0.7)),
            JudgedEntry(entry_id="e2", rank=1),
        ),
        agent_id="desk",
        mode=Mode.LIVE,
        judge="onnx:0f0f",
        threshold=0.5,
        received_at_ms=NOW_MS,
        decided_at_ms=NOW_MS,
        timings_ms={"search": 2.5, "total": 120.25},
    ),
    ReviewItem(
        tenant_id="acme",
        agent_id="desk",
        call_id="call-1",
        seq=5,
        question="when do you close",
        cause=ReviewCause.LATE,
        asked_at_ms=NOW_MS,
        candidates=(CandidateEntry(entry_id="e1", title="Hours", content="Nine to five."),),
        status=VerdictStatus.PARTIAL,
        answerable=False,
        entries=(JudgedEntry(entry_id="e1", rank=0, level=1, probabilities=(0.1, 0.9, 0.0, 0.0)),),
        judge="system_one:clef",
    ),
    ReviewedItem(
        tenant_id="acme",
        call_id="call-1",
        seq=5,
        masked_question="my number is [number]",
        result=ReviewResult.MISSING_KNOWLEDGE,
        entry_id="e1",
        rank=11,
        gap_id="g1",
        reviewed_at_ms=NOW_MS,
    ),
    Gap(
        gap_id="g1",
        tenant_id="acme",
        state=GapState.OPEN,
        count=12,
        languages=("en", "hi"),
        examples=("do you ship to [place]",),
        first_seen_ms=NOW_MS,
        last_seen_ms=NOW_MS + 1,
        days={"2026-11-18": 12},
        reason=GapReason.NOT_JUDGED,
        entry_id="e1",
        suggestion=GapSuggestion(
            title="do you ship abroad",
            questions={"en": ("do you ship to [place]",)},
            quotes=("We ship within two days.",),
            blanks=("Answer: ____",),
        ),
        merged_into="g2",
        merged_from=("g3",),
        split_from="g4",
        updated_at_ms=NOW_MS + 2,
        memory=GapMemory(
            members=(
                GapMember(
                    text="do you ship to [place]",
                    language="en",
                    tally=Tally(
                        count=11,
                        first_seen_ms=NOW_MS,
                        last_seen_ms=NOW_MS + 1,
                        days={"2026-11-18": 11},
                    ),
                ),
            ),
            rest=Tally(count=1, first_seen_ms=NOW_MS, last_seen_ms=NOW_MS),
            wordings="AAAAAAAAAAA=",
            items="AAAAAAAAAAA=",
            partition=3,
            offset=41,
            recorded_at_ms=NOW_MS,
            actions=("a1",),
            judged="0f0f",
        ),
    ),
    GapAction(
        action_id="a1",
        tenant_id="acme",
        gap_id="g1",
        kind=GapActionKind.MERGE,
        entry_id="e1",
        into="g2",
        example="do you ship to [place]",
        decided_at_ms=NOW_MS,
    ),
    dead_letter(
        topic="turn.utterances",
        partition=2,
        offset=41,
        key=b"call-1",
        value=b"\xff\x00",
        reason="not valid JSON in UTF-8",
        refused_at_ms=NOW_MS,
    ),
)

#: Required fields only, as JSON that a producer may write, by event.
MINIMAL = {
    Utterance: (b'{"tenant_id":"t","agent_id":"a","call_id":"c","seq":0,"text":"","said_at_ms":0}'),
    TurnPredictions: (
        b'{"tenant_id":"t","agent_id":"a","call_id":"c","seq":0,"created_at_ms":0,"predictions":[]}'
    ),
    Decision: (
        b'{"decision_id":"d","tenant_id":"t","agent_id":"a","call_id":"c","seq":0,"kind":"miss",'
        b'"status":"ok","mode":"off","reasons":[],"received_at_ms":0,"decided_at_ms":0}'
    ),
    AgentProfile: b'{"tenant_id":"t","agent_id":"a","version":1}',
    Denial: b'{"tenant_id":"t","pair":"0123456789abcdef0123456789abcdef","denied_at_ms":0}',
    KbEntry: b'{"tenant_id":"t","entry_id":"e","title":"","content":""}',
    KbQuestion: (
        b'{"tenant_id":"t","agent_id":"a","call_id":"c","seq":0,"question":"","asked_at_ms":0}'
    ),
    KbVerdict: (
        b'{"verdict_id":"v","tenant_id":"t","call_id":"c","seq":0,"status":"error",'
        b'"decided_at_ms":0}'
    ),
    ReviewItem: (
        b'{"tenant_id":"t","agent_id":"a","call_id":"c","seq":0,"question":"","cause":"late",'
        b'"asked_at_ms":0}'
    ),
    ReviewedItem: (
        b'{"tenant_id":"t","call_id":"c","seq":0,"masked_question":"","result":"unclear",'
        b'"reviewed_at_ms":0}'
    ),
    Gap: (
        b'{"gap_id":"g","tenant_id":"t","state":"open","count":0,"languages":[],"examples":[],'
        b'"first_seen_ms":0,"last_seen_ms":0}'
    ),
    GapAction: (
        b'{"action_id":"a","tenant_id":"t","gap_id":"g","kind":"dismissed","decided_at_ms":0}'
    ),
    DeadLetter: b'{"topic":"x","partition":0,"offset":0,"reason":"","refused_at_ms":0}',
}
