"""
What becomes of a gap: asked again, merged, split, acted on, judged anew. Pure functions of records.

Everything that a gap counts lies in tallies, one for each wording that is kept and one for the
rest, so that a merge adds them up and a split takes one out, and no question is counted twice.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from topics.gap import Gap, GapMember, GapMemory, GapReason, GapState, GapSuggestion, Tally
from workers.slow.marks import name_of, pack, unpack, wording, wording_mark
from workers.slow.tally import added, once

#: Wordings of a gap that are kept as text: new questions are held against some of them.
MEMBERS = 12
#: Of those, how many a new question is held against.
CORE = 4
#: Of those, how many readers see.
EXAMPLES = 6
#: Wordings that are remembered by their mark, 8 bytes each: what is identical falls together.
WORDINGS = 1_000
#: Items that are remembered, 8 bytes each: more than a gap gets while a record is delivered twice.
ITEMS = 512
#: Actions that are remembered.
ACTIONS = 16
#: Gaps that one came from, at most; more would make the record large, and lose nothing.
_MERGED = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question that is to be counted."""

    #: Masked. User text all the same: never logged.
    text: str
    language: str
    at_ms: int
    #: Mark of the item.
    item: bytes
    #: Where the item lies on `kb.review`, and the latest time of a record up to it.
    partition: int
    offset: int
    recorded_at_ms: int


def found(
    tenant_id: str, gap_id: str, asked: Asked, *, reason: GapReason, judged_by: str = ""
) -> Gap:
    """Make the gap of a question that belongs to no other."""
    empty = Gap(
        gap_id=gap_id,
        tenant_id=tenant_id,
        state=GapState.OPEN,
        count=0,
        languages=(),
        examples=(),
        first_seen_ms=asked.at_ms,
        last_seen_ms=asked.at_ms,
        reason=reason,
        memory=GapMemory(judged=judged_by),
    )
    return counted(empty, asked)


def counted(gap: Gap, asked: Asked, *, reason: GapReason = GapReason.NOT_JUDGED) -> Gap:
    """
    Count a question of the gap.

    Args:
        gap: as it is.
        asked: the question.
        reason: why it is one of a gap. Where it was judged and nothing answers it, a gap that was
            covered is open again.

    """
    memory = gap.memory
    mark = wording_mark(asked.text)
    marks = unpack(memory.wordings)
    known = mark in marks
    members, rest = _tallied(memory, asked, known=known)
    memory = replace(
        memory,
        members=members,
        rest=rest,
        # What was not asked for longest goes first.
        wordings=pack([*(one for one in marks if one != mark), mark][-WORDINGS:]),
        items=pack([*unpack(memory.items), asked.item][-ITEMS:]),
        partition=asked.partition,
        offset=asked.offset,
        recorded_at_ms=asked.recorded_at_ms,
    )
    if reason is GapReason.MISSING_KNOWLEDGE:
        gap = replace(gap, reason=reason)
        if gap.state is GapState.COVERED:
            gap = replace(gap, state=GapState.OPEN, entry_id=None)
    return _shown(replace(gap, memory=memory))


def merged(into: Gap, other: Gap) -> tuple[Gap, Gap]:
    """
    Make a gap a part of another one.

    Returns:
        The one that stays, and what is left of the other: its id, and where to look.

    """
    mine, theirs = into.memory, other.memory
    members, rest = _kept(
        [*mine.members, *theirs.members], [one for one in (mine.rest, theirs.rest) if one]
    )
    latest = max((mine, theirs), key=lambda one: (one.recorded_at_ms, one.offset))
    memory = replace(
        mine,
        members=members,
        rest=rest,
        wordings=_united(mine.wordings, theirs.wordings, WORDINGS),
        items=_united(theirs.items, mine.items, ITEMS),
        partition=latest.partition,
        offset=latest.offset,
        recorded_at_ms=latest.recorded_at_ms,
    )
    names = dict.fromkeys((*into.merged_from, other.gap_id, *other.merged_from))
    whole = replace(into, memory=memory, merged_from=tuple(names)[-_MERGED:])
    return _shown(whole), left_over(other, into.gap_id)


def final(gaps: Mapping[str, Gap], gap_id: str) -> Gap | None:
    """Return the gap that an id stands for now, whatever it was merged into; None without one."""
    seen: set[str] = set()
    gap = gaps.get(gap_id)
    while gap is not None and gap.merged_into is not None and gap.gap_id not in seen:
        seen.add(gap.gap_id)
        gap = gaps.get(gap.merged_into)
    return gap if gap is not None and gap.merged_into is None else None


def left_over(gap: Gap, into_id: str) -> Gap:
    """Return what is left of a gap that became a part of another: nothing is counted there."""
    memory = GapMemory(
        partition=gap.memory.partition,
        offset=gap.memory.offset,
        recorded_at_ms=gap.memory.recorded_at_ms,
        actions=gap.memory.actions,
    )
    return replace(
        gap,
        count=0,
        languages=(),
        examples=(),
        days={},
        suggestion=None,
        merged_into=into_id,
        memory=memory,
    )


def split(gap: Gap, text: str, *, again: int = 0) -> tuple[Gap, Gap] | None:
    """
    Make one wording of a gap a gap of its own.

    Args:
        gap: what has it.
        text: the wording.
        again: how often it was split off before, and merged again: each time it has another name.

    Returns:
        The new one, and what stays of the old; None where the gap has no such wording, or no other.

    """
    form = wording(text)
    leaving = [one for one in gap.memory.members if wording(one.text) == form]
    if not leaving or len(leaving) == len(gap.memory.members):
        return None
    member = leaving[0]
    child = Gap(
        gap_id=name_of("split", gap.tenant_id, gap.gap_id, form, *([str(again)] if again else [])),
        tenant_id=gap.tenant_id,
        state=GapState.OPEN,
        count=0,
        languages=(),
        examples=(),
        first_seen_ms=member.tally.first_seen_ms,
        last_seen_ms=member.tally.last_seen_ms,
        reason=gap.reason,
        split_from=gap.gap_id,
        memory=replace(
            gap.memory,
            members=(member,),
            rest=None,
            wordings=pack([wording_mark(member.text)]),
            actions=(),
            judged="",
        ),
    )
    return _shown(child), without(gap, child)


def without(gap: Gap, child: Gap) -> Gap:
    """Take out of a gap what a split gave to another."""
    gone = {wording(one.text) for one in child.memory.members}
    marks = set(unpack(child.memory.wordings))
    memory = replace(
        gap.memory,
        members=tuple(one for one in gap.memory.members if wording(one.text) not in gone),
        wordings=pack(mark for mark in unpack(gap.memory.wordings) if mark not in marks),
    )
    return _shown(replace(gap, memory=memory))


def acted(
    gap: Gap, action_id: str, *, state: GapState | None = None, entry_id: str | None = None
) -> Gap:
    """Note an action, and what it makes of the gap's state; whoever judges gaps is to look anew."""
    memory = replace(gap.memory, actions=(*gap.memory.actions, action_id)[-ACTIONS:], judged="")
    if state is None:
        return replace(gap, memory=memory)
    return replace(gap, memory=memory, state=state, entry_id=entry_id)


def judged(
    gap: Gap, *, by: str, entry_id: str | None, reason: GapReason, known: bool = True
) -> Gap:
    """
    Note what a new judgement of the whole gap says.

    What somebody dismissed stays so. What an entry answers is covered; what was covered and is no
    longer is open again.

    Args:
        gap: as it is.
        by: digest of the judge and the entries.
        entry_id: the entry that answers it; None where none does.
        reason: why it is a gap where none does.
        known: False where nobody could judge; then the state stays.

    """
    gap = replace(gap, memory=replace(gap.memory, judged=by), reason=reason)
    if not known or gap.state is GapState.DISMISSED:
        return gap
    if entry_id is not None:
        return replace(gap, state=GapState.COVERED, entry_id=entry_id)
    if gap.state is GapState.COVERED:
        return replace(gap, state=GapState.OPEN, entry_id=None)
    return gap


def suggested(gap: Gap, suggestion: GapSuggestion | None) -> Gap:
    """Give a gap a suggestion."""
    return replace(gap, suggestion=suggestion)


def core(gap: Gap) -> tuple[GapMember, ...]:
    """
    Return the wordings that a new question is held against: the most asked of each language, then
    the most asked of all.
    """
    return _spread(gap.memory.members)[:CORE]


def _tallied(
    memory: GapMemory, asked: Asked, *, known: bool
) -> tuple[tuple[GapMember, ...], Tally | None]:
    one = once(asked.at_ms)
    form = wording(asked.text)
    for place, member in enumerate(memory.members):
        if wording(member.text) == form:
            grown = replace(member, tally=added(member.tally, one))
            return (*memory.members[:place], grown, *memory.members[place + 1 :]), memory.rest
    if known:
        return memory.members, added(one, memory.rest)
    fresh = GapMember(text=asked.text, language=asked.language, tally=one)
    return _kept([*memory.members, fresh], [memory.rest] if memory.rest else [])


def _kept(
    members: Sequence[GapMember], rests: Sequence[Tally]
) -> tuple[tuple[GapMember, ...], Tally | None]:
    """Keep as many wordings as are kept; the others go into the rest."""
    by_form: dict[str, GapMember] = {}
    for member in members:
        form = wording(member.text)
        same = by_form.get(form)
        by_form[form] = (
            member if same is None else replace(same, tally=added(same.tally, member.tally))
        )
    spread = _spread(by_form.values())
    kept, rest = spread[:MEMBERS], [*rests, *(one.tally for one in spread[MEMBERS:])]
    return kept, added(rest[0], *rest[1:]) if rest else None


def _spread(members: Iterable[GapMember]) -> tuple[GapMember, ...]:
    """Order wordings: the first of each language, then the others; the most asked first."""
    by_count = sorted(
        members, key=lambda one: (-one.tally.count, one.tally.first_seen_ms, one.text)
    )
    firsts: dict[str, GapMember] = {}
    for member in by_count:
        firsts.setdefault(member.language, member)
    leading = list(firsts.values())
    return (*leading, *(one for one in by_count if one not in leading))


def _shown(gap: Gap) -> Gap:
    """Bring what readers see up to what is counted."""
    tallies = [one.tally for one in gap.memory.members]
    if gap.memory.rest is not None:
        tallies.append(gap.memory.rest)
    if not tallies:
        return replace(gap, count=0, examples=(), days={})
    whole = added(tallies[0], *tallies[1:])
    spread = _spread(gap.memory.members)
    languages = dict.fromkeys((*gap.languages, *(one.language for one in spread)))
    return replace(
        gap,
        count=whole.count,
        first_seen_ms=whole.first_seen_ms,
        last_seen_ms=whole.last_seen_ms,
        days=whole.days,
        languages=tuple(sorted(languages)),
        examples=tuple(one.text for one in spread[:EXAMPLES]),
    )


def _united(first: str, last: str, bound: int) -> str:
    return pack(list(dict.fromkeys((*unpack(first), *unpack(last))))[-bound:])
