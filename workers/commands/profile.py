"""`turngate profile`: what agents' profiles are, checked before they are published."""

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click
import orjson

from models.encoder import Encoder
from models.evaluation.router.check import Checked, check, shown
from models.evaluation.router.page import render
from models.router import Reason
from models.router.compile import Encodes
from topics.profile import AgentProfile, Mode
from workers.commands.output import check_output, saving
from workers.commands.tables import print_table
from workers.profile_file import Note, ProfileFile, read_profiles
from workers.profile_places import printable
from workers.profile_publish import publish_profiles, published, versions
from workers.settings import Settings

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
#: Mistakes and remarks that are named, at most; a file with more problems has one problem.
_NAMED = 20
#: What the mistakes of a file lead to where it was to be published.
_UNPUBLISHED = ("nothing was published",)
#: Rows of the longer tables.
_MOST = 10


@click.group("profile")
def profile() -> None:
    """Check agents' profiles and publish them; the last line is JSON."""


@profile.command("check")
@click.argument("file", type=_FILE)
@click.option("--report", type=click.Path(dir_okay=False, path_type=Path), help="HTML to write.")
@click.pass_obj
def check_file(settings: Settings, file: Path, report: Path | None) -> None:
    """
    Say what is wrong with the profiles of FILE, and what their routers would do.

    FILE is JSON: a profile as on `agent.profiles`, or an array of them; `version` may be left out.
    Routers are compiled as a worker does, and judged on the validation phrases. The output names
    places and intents; the report also shows the phrases that are mistaken.

    A language is routed from 20 validation phrases on, all intents together, and to intents that
    have an example in it; Latin phrases too short to tell count for English and Hinglish in
    proportion. From 20 out-of-scope phrases on, other intents need not stand in for them.
    deploy/profiles/shop.json is a sample.
    """
    if report is not None:
        check_output(report, "--report")
    read = _read(file, ())
    checked = _checked(settings, [given.profile for given in read.profiles])
    for one in checked:
        _print(file, one)
    if report is not None:
        remarks = [[str(note) for note in given.remarks[:_NAMED]] for given in read.profiles]
        with saving(report, "--report"):
            report.write_text(render(list(zip(checked, remarks, strict=True))), "utf-8")
        click.echo(f"report: {report}")
    click.echo(orjson.dumps({"profiles": [_summary(one) for one in checked]}).decode())


@profile.command("put")
@click.argument("file", type=_FILE)
@click.pass_obj
def put(settings: Settings, file: Path) -> None:
    """
    Publish the profiles of FILE on `agent.profiles`: all of them, or none where one is wrong.

    FILE is as for `check`, which comes first. A profile without `version` gets the next one; one
    that is in force already is left alone. A router that abstains is no mistake: the profile is
    published, says so here and in the worker's log, and routes nothing.
    """
    read = _read(file, _UNPUBLISHED)
    known = asyncio.run(published(settings))
    changed, mistakes = versions(read.profiles, known)
    _refuse(file, mistakes, _UNPUBLISHED)
    checked = _checked(settings, changed)
    for one in checked:
        for sentence in one.advice:
            _warn(f"{_agent(one.profile)}: {sentence}")
    asyncio.run(publish_profiles(settings, changed))
    for one in checked:
        click.echo(f"published {_agent(one.profile)} version {one.profile.version}: {_state(one)}")
    if unchanged := len(read.profiles) - len(changed):
        click.echo(f"{unchanged} unchanged")
    found = {"published": [_summary(one) for one in checked], "unchanged": unchanged}
    click.echo(orjson.dumps(found).decode())


def _read(file: Path, outcome: Sequence[str]) -> ProfileFile:
    read = read_profiles(file)
    _refuse(file, read.mistakes, outcome)
    for given in read.profiles:
        _remark(file, given.remarks)
    return read


def _refuse(file: Path, mistakes: Sequence[Note], outcome: Sequence[str]) -> None:
    """Stop at mistakes; `outcome` is said after them."""
    if mistakes:
        raise click.ClickException("\n".join((*_named(file, mistakes), *outcome)))


def _remark(file: Path, remarks: Sequence[Note]) -> None:
    for line in _named(file, remarks):
        _warn(line)


def _named(file: Path, notes: Sequence[Note]) -> Iterable[str]:
    yield from (f"{file.name}:{note}" for note in notes[:_NAMED])
    if (more := len(notes) - _NAMED) > 0:
        yield f"and {more} more"


def _warn(sentence: str) -> None:
    click.echo(f"warning: {sentence}", err=True)


def _checked(settings: Settings, profiles: Sequence[AgentProfile]) -> list[Checked]:
    if not profiles:
        return []
    encoder = _encoder(settings)
    found = []
    for one in profiles:
        click.echo(f"{_agent(one)}: compiling its router", err=True)
        found.append(check(one, encoder))
    return found


def _encoder(settings: Settings) -> Encodes:
    return Encoder.load(settings.encoder, threads=settings.inference_threads)


def _print(file: Path, checked: Checked) -> None:
    click.echo(f"\n{file.name}: {_agent(checked.profile)}: {_state(checked)}")
    for sentence in checked.advice:
        click.echo(f"- {sentence}")
    _print_curve(checked)
    _print_confusions(checked)
    _print_languages(checked)


def _print_curve(checked: Checked) -> None:
    if not checked.curve:
        return
    click.echo("\nAccuracy and coverage on the validation phrases, by threshold:")
    rows = {f"{one.threshold:.3f}{' *' if one.chosen else ''}": one for one in checked.curve}
    print_table(
        {name: one._asdict() for name, one in rows.items()},
        ("answered", "accuracy", "out_of_scope_answered", "accepted"),
    )
    click.echo("* chosen" if any(one.chosen for one in checked.curve) else "none is chosen")


def _print_confusions(checked: Checked) -> None:
    if not checked.confusions:
        return
    click.echo("\nIntents that are taken for each other:")
    rows = {
        f"{printable(one.intent)} for {printable(one.taken_for)}": one._asdict()
        for one in checked.confusions[:_MOST]
    }
    print_table(rows, ("phrases", "of", "routed", "cosine"))
    if (more := len(checked.confusions) - _MOST) > 0:
        click.echo(f"and {more} more")


def _print_languages(checked: Checked) -> None:
    if not checked.languages:
        return
    click.echo("\nLanguages:")
    rows = {
        one.language: one._asdict()
        | {"validation": shown(one.validation), "routed": "yes" if one.routed else "no"}
        for one in checked.languages
    }
    print_table(rows, ("intents", "validation", "routed"))


def _agent(given: AgentProfile) -> str:
    return f"{printable(given.tenant_id)}/{printable(given.agent_id)}"


def _state(checked: Checked) -> str:
    mode = checked.profile.router.mode
    quality = checked.quality
    if mode is Mode.OFF and not checked.profile.intents:
        return "no router"
    if quality is None:
        what = "routes nothing" if checked.router.state is Reason.ROUTED else "abstains"
        state = f"the router {what} ({checked.state.replace('_', ' ')})"
    else:
        state = (
            f"the router answers {quality.answered:.1%} of in-scope phrases, "
            f"{quality.accuracy:.1%} of the answers right, from {checked.router.threshold:.3f} on"
        )
    return f"{state}; its mode is {mode}"


def _summary(checked: Checked) -> dict[str, Any]:
    router, quality = checked.router, checked.quality
    return {
        "tenant_id": checked.profile.tenant_id,
        "agent_id": checked.profile.agent_id,
        "version": checked.profile.version,
        "mode": checked.profile.router.mode,
        "state": checked.state,
        "intents": len(router.names),
        "validation": len(checked.compiled.validation),
        "left_out": len(checked.compiled.findings),
        "target": checked.profile.router.target_accuracy,
        "threshold": router.threshold if checked.state == Reason.ROUTED else None,
        "answered": quality.answered if quality else None,
        "accuracy": quality.accuracy if quality else None,
        "out_of_scope_answered": quality.out_of_scope_answered if quality else None,
        "confused": len(checked.confusions),
        "withheld": checked.delivered.withheld,
        "languages": [one._asdict() for one in checked.languages],
    }
