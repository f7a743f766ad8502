"""`turngate kb`: the entries of the knowledge base."""

import asyncio
from collections import Counter
from pathlib import Path

import click
import orjson

from models.kb import Tombstone
from models.kb.limits import Limits
from workers.kb.publish import publish_entries
from workers.kb.rows import Rows, read_rows
from workers.settings import Settings

#: Lines that are named, at most; a file with more problems has one problem.
_NAMED = 20


@click.group("kb")
def kb() -> None:
    """Put entries into the knowledge base, and take them out."""


@kb.command("load")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--tenant", help="Tenant of the rows that name none.")
@click.pass_obj
def load(settings: Settings, file: Path, tenant: str | None) -> None:
    """
    Publish the entries of FILE on `kb.entries`: all of them, or none where a row is wrong.

    FILE is JSONL, or CSV where its name ends with .csv: {"id","tenant","title","content"} with
    optional "category", "lang" and "updated" (a date). An entry that exists is replaced. What is
    wrong is said by line. The last line is JSON: entries by tenant.
    """
    limits = Limits(tenant=settings.kb_tenant_passages, all=settings.kb_passages)
    rows = read_rows(file, limits, tenant)
    if rows.problems:
        raise click.ClickException(_said(file, rows))
    asyncio.run(publish_entries(settings, rows.entries))
    counts = Counter(entry.tenant_id for entry in rows.entries)
    click.echo(orjson.dumps({"published": len(rows.entries), "tenants": dict(counts)}).decode())


@kb.command("delete")
@click.argument("tenant")
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@click.pass_obj
def delete(settings: Settings, tenant: str, ids: tuple[str, ...]) -> None:
    """
    Delete entries of TENANT; one that does not exist is deleted already.

    The last line is JSON: how many deletions were published.
    """
    if not tenant or not all(ids):
        raise click.UsageError("a tenant and an entry have a name")
    asyncio.run(publish_entries(settings, [Tombstone(tenant, name) for name in dict.fromkeys(ids)]))
    click.echo(orjson.dumps({"deleted": len(set(ids))}).decode())


def _said(file: Path, rows: Rows) -> str:
    lines = [f"{file.name}:{one.line}: {one.reason}" for one in rows.problems[:_NAMED]]
    if (more := len(rows.problems) - _NAMED) > 0:
        lines.append(f"and {more} more")
    return "\n".join((*lines, "nothing was published"))
