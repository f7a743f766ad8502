"""`turngate gaps`: the backlog of the knowledge-base team."""

import asyncio
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click
import orjson

from topics.gap import Gap, GapReason, GapState
from topics.gap_action import GapActionKind
from workers.commands.output import check_output, saving
from workers.commands.ranges import Between
from workers.commands.tables import print_table
from workers.gaps import act, chosen, find, new_action, read_backlog, whole, why_not_merged
from workers.gaps_export import jsonl, plain, table, title, when
from workers.settings import Settings
from workers.slow.gap import split as parts

_TENANT = click.option("--tenant", help="Only of this tenant.")
_STATE = click.option(
    "--state",
    "states",
    multiple=True,
    type=click.Choice([state.value for state in GapState]),
    help="Only in this state; may be given again.",
)
_REASON = click.option(
    "--reason",
    "reasons",
    multiple=True,
    type=click.Choice([reason.value for reason in GapReason]),
    help="Only for this reason; may be given again.",
)
_WAIT = click.option(
    "--wait",
    "wait_s",
    type=Between(0, 600),
    default=15.0,
    show_default=True,
    help="Seconds to wait for the worker to apply it.",
)
_COLUMNS = ("state", "reason", "count", "last seen", "languages", "about")
#: Characters of an id that are shown; `show` and the actions take the beginning of one.
_SHOWN_ID = 12


@click.group("gaps")
def gaps() -> None:
    """
    Questions that callers ask and the knowledge base does not answer.

    GAP is a gap's id, or the beginning of it. Actions are events; the slow worker applies them.
    """


@gaps.command("list")
@_TENANT
@_STATE
@_REASON
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True)
@click.pass_obj
def list_gaps(
    settings: Settings,
    tenant: str | None,
    states: Sequence[str],
    reasons: Sequence[str],
    limit: int,
) -> None:
    """List gaps, the most asked first; open ones by default. The last line is JSON: counts."""
    every = asyncio.run(read_backlog(settings))
    found = _chosen(every, tenant, states or [GapState.OPEN], reasons)
    rows = {
        gap.gap_id[:_SHOWN_ID]: {
            "state": gap.state.value,
            "reason": gap.reason.value,
            "count": gap.count,
            "last seen": when(gap.last_seen_ms),
            "languages": " ".join(gap.languages),
            "about": title(gap),
        }
        for gap in found[:limit]
    }
    print_table(rows, _COLUMNS)
    counts = Counter(gap.state.value for gap in _chosen(every, tenant, (), ()))
    click.echo(
        orjson.dumps({"listed": len(rows), "found": len(found), "by_state": counts}).decode()
    )


@gaps.command("show")
@click.argument("gap")
@click.pass_obj
def show(settings: Settings, gap: str) -> None:
    """Show one gap as JSON."""
    found = _found(asyncio.run(read_backlog(settings)), gap)
    click.echo(orjson.dumps(plain(found), option=orjson.OPT_INDENT_2).decode())


@gaps.command("add")
@click.argument("gap")
@click.option("--entry", "entry_id", help="The entry that was written.")
@_WAIT
@click.pass_obj
def add(settings: Settings, gap: str, entry_id: str | None, wait_s: float) -> None:
    """Say that an entry was written for GAP."""
    _act(settings, gap, GapActionKind.ADDED, wait_s, entry_id=entry_id)


@gaps.command("dismiss")
@click.argument("gap")
@_WAIT
@click.pass_obj
def dismiss(settings: Settings, gap: str, wait_s: float) -> None:
    """Say that no entry is wanted for GAP; it is counted on and does not open again."""
    _act(settings, gap, GapActionKind.DISMISSED, wait_s)


@gaps.command("reopen")
@click.argument("gap")
@_WAIT
@click.pass_obj
def reopen(settings: Settings, gap: str, wait_s: float) -> None:
    """Open GAP again."""
    _act(settings, gap, GapActionKind.REOPEN, wait_s)


@gaps.command("merge")
@click.argument("gap")
@click.argument("into")
@_WAIT
@click.pass_obj
def merge(settings: Settings, gap: str, into: str, wait_s: float) -> None:
    """Make GAP a part of the gap INTO; its id keeps leading there."""
    every = asyncio.run(read_backlog(settings))
    one, other = (whole(every, _found(every, name)) for name in (gap, into))
    why_not = why_not_merged(one, other)
    if why_not is not None:
        raise click.ClickException(why_not)
    _act(settings, one.gap_id, GapActionKind.MERGE, wait_s, every=every, into=other.gap_id)


# An example may begin with a dash; a word that is no option is then one argument too many.
@gaps.command("split", context_settings={"ignore_unknown_options": True})
@click.argument("gap")
@click.argument("example")
@_WAIT
@click.pass_obj
def split(settings: Settings, gap: str, example: str, wait_s: float) -> None:
    """Make EXAMPLE, one of the examples of GAP as `show` prints it, a gap of its own."""
    every = asyncio.run(read_backlog(settings))
    found = _found(every, gap)
    if example not in found.examples:
        raise click.ClickException("GAP has no such example; `turngate gaps show` prints them")
    if parts(found, example) is None:
        raise click.ClickException("GAP has no other wording: nothing would be left of it")
    _act(settings, gap, GapActionKind.SPLIT, wait_s, every=every, example=example)


@gaps.command("export")
@click.option("--format", "kind", type=click.Choice(["csv", "jsonl"]), default="csv")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="File; else stdout.")
@_TENANT
@_STATE
@_REASON
@click.pass_obj
def export(
    settings: Settings,
    *,
    kind: str,
    out: Path | None,
    tenant: str | None,
    states: Sequence[str],
    reasons: Sequence[str],
) -> None:
    """Write gaps as CSV or JSONL, all states by default."""
    if out is not None:
        check_output(out, "--out")
    found = _chosen(asyncio.run(read_backlog(settings)), tenant, states, reasons)
    lines = table(found) if kind == "csv" else jsonl(found)
    if out is None:
        sys.stdout.writelines(lines)
        return
    # With a byte-order mark a spreadsheet reads the Arabic and Hindi right.
    encoding = "utf-8-sig" if kind == "csv" else "utf-8"
    with saving(out, "--out"), out.open("w", encoding=encoding, newline="") as file:
        file.writelines(lines)
    click.echo(orjson.dumps({"exported": len(found)}).decode())


def _chosen(
    every: Sequence[Gap], tenant: str | None, states: Sequence[str], reasons: Sequence[str]
) -> list[Gap]:
    return chosen(
        every,
        tenant_id=tenant,
        states=[GapState(one) for one in states],
        reasons=[GapReason(one) for one in reasons],
    )


def _found(every: Sequence[Gap], name: str) -> Gap:
    gap = find(every, name)
    if gap is None:
        raise click.ClickException("no gap, or more than one, begins with that id")
    return gap


def _act(
    settings: Settings,
    name: str,
    kind: GapActionKind,
    wait_s: float,
    *,
    every: Sequence[Gap] | None = None,
    entry_id: str | None = None,
    into: str | None = None,
    example: str | None = None,
) -> None:
    gap = _found(asyncio.run(read_backlog(settings)) if every is None else every, name)
    action = new_action(gap, kind, entry_id=entry_id, into=into, example=example)
    applied = asyncio.run(act(settings, action, wait_s=wait_s))
    said = {"gap_id": gap.gap_id, "action": kind.value, "applied": applied}
    click.echo(orjson.dumps(said).decode())
    if not applied:
        said_of = (
            "not applied yet: it will be when a slow worker reads it, where it still can be done"
        )
        click.echo(said_of, err=True)
