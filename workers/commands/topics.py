"""`turngate topics`: make the topics, and print what is on them."""

import asyncio
from typing import Any

import click
import orjson

from topics.names import TOPICS
from topics.schema import all_schemas, asyncapi, json_schema
from workers.admin import Creation, connection, create_topics
from workers.settings import Settings

_BY_NAME = {topic.name: topic for topic in TOPICS}


@click.group("topics")
def topics() -> None:
    """Make the topics, and print what is on them."""


@topics.command("create")
@click.option("--prefix", default=None, help="Put before each name; else the setting `prefix`.")
@click.pass_obj
def create(settings: Settings, prefix: str | None) -> None:
    """Make the topics that are missing; those that exist are left as they are."""
    chosen = settings.prefix if prefix is None else prefix
    _report(asyncio.run(create_topics(connection(settings), prefix=chosen)))


@topics.command("schema")
@click.argument("name", required=False, type=click.Choice(list(_BY_NAME)))
def schema(name: str | None) -> None:
    """Print the JSON Schema of one topic's event, or of all by topic."""
    _print(all_schemas() if name is None else json_schema(_BY_NAME[name]))


@topics.command("asyncapi")
def document() -> None:
    """Print the AsyncAPI document of all topics."""
    _print(asyncapi())


def _report(outcome: Creation) -> None:
    for name in outcome.created:
        click.echo(f"created {name}")
    for name in outcome.existing:
        click.echo(f"exists  {name}")
    for sentence in outcome.warnings:
        click.echo(f"warning: {sentence}", err=True)
    if outcome.failed:
        raise click.ClickException("; ".join(outcome.failed))


def _print(document: dict[str, Any]) -> None:
    click.echo(orjson.dumps(document, option=orjson.OPT_INDENT_2).decode())
