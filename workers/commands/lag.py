"""`turngate lag`: how far the workers are behind."""

import asyncio
import sys
from collections.abc import Sequence
from typing import Any

import click
import orjson

from workers.admin import BrokerConnection, connection
from workers.commands.ranges import Between
from workers.commands.tables import print_table
from workers.errors import WorkerError
from workers.interrupt import until_signal
from workers.lag import GroupLag, PartitionLag, Reader, committed_topics, read_lag, readers
from workers.settings import Settings

_COLUMNS = ("committed", "end", "unread", "oldest unread")
#: Clears a terminal and moves to its first line.
_CLEAR = "\x1b[2J\x1b[H"


@click.command("lag")
@click.option(
    "--group",
    "groups",
    multiple=True,
    help="Another consumer group, by its whole name; may be given several times.",
)
@click.option(
    "--watch",
    "every_s",
    is_flag=False,
    flag_value=2.0,
    default=None,
    type=Between(0.2, 3_600),
    metavar="[SECONDS]",
    help="Show it again every so often (2 s), until Ctrl-C.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a reading, one a line.")
@click.pass_obj
def lag(settings: Settings, groups: Sequence[str], every_s: float | None, *, as_json: bool) -> None:
    """
    Show how many records each consumer group has not read, and how old the oldest one is.

    It looks at what the groups have committed and joins none, so it may be run at any time. A
    record is unread until its commit, so a worker that keeps up shows up to a second of lag.
    """
    code = asyncio.run(until_signal(_show(settings, groups, every_s, as_json=as_json), on_signal=0))
    sys.exit(code)


async def _show(
    settings: Settings, groups: Sequence[str], every_s: float | None, *, as_json: bool
) -> int:
    broker = connection(settings)
    wanted = await _wanted(settings, broker, groups)
    while True:
        try:
            found = await read_lag(broker, wanted)
        except WorkerError as error:
            # Somebody who watches wants to see the broker come back.
            if every_s is None:
                raise
            click.echo(str(error), err=True)
        else:
            _print(found, as_json=as_json, clear=every_s is not None)
        if every_s is None:
            return 0
        await asyncio.sleep(every_s)


async def _wanted(
    settings: Settings, broker: BrokerConnection, groups: Sequence[str]
) -> tuple[Reader, ...]:
    if not groups:
        return readers(settings)
    ours = {reader.group: reader for reader in readers(settings)}
    return tuple(
        [
            ours.get(group) or await committed_topics(broker, group, prefix=settings.prefix)
            for group in groups
        ]
    )


def _print(groups: Sequence[GroupLag], *, as_json: bool, clear: bool) -> None:
    if as_json:
        click.echo(orjson.dumps({"groups": [_document(group) for group in groups]}).decode())
        return
    if clear and click.get_text_stream("stdout").isatty():
        click.echo(_CLEAR, nl=False)
    for group in groups:
        click.echo(_heading(group))
        print_table({_place(one): _cells(one) for one in group.partitions}, _COLUMNS)
        for one in group.partitions:
            if one.out_of_range:
                click.echo(
                    f"warning: {_place(one)}: the committed offset is not in the log; records "
                    "expired unread, or the topic was made anew",
                    err=True,
                )


def _document(group: GroupLag) -> dict[str, Any]:
    return {
        "group": group.group,
        "state": group.state,
        "members": group.members,
        "unread": group.unread,
        "oldest_age_s": group.oldest_age_s,
        "partitions": group.partitions,
    }


def _heading(group: GroupLag) -> str:
    members = "members not known" if group.members is None else f"members: {group.members}"
    state = "" if group.state is None else f", {group.state}"
    oldest = "" if group.oldest_age_s is None else f", the oldest {_age(group.oldest_age_s)}"
    return f"{group.group}: {members}{state}; {group.unread} unread{oldest}"


def _place(one: PartitionLag) -> str:
    return f"{one.topic} {one.partition}"


def _cells(one: PartitionLag) -> dict[str, Any]:
    return {
        "committed": one.committed,
        "end": one.end,
        "unread": one.unread,
        "oldest unread": None if one.oldest_age_s is None else _age(one.oldest_age_s),
    }


def _age(seconds: float) -> str:
    """Say a span as a person reads it: `0.4 s`, `3 min 05 s`, `2 h 10 min`."""
    minutes, rest_s = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02d} min"
    return f"{minutes} min {rest_s:02d} s" if minutes else f"{seconds:.1f} s"
