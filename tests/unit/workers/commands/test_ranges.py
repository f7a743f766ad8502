"""Numbers that options take."""

from collections.abc import Iterator

import click
import pytest

from workers.cli import main
from workers.commands.ranges import Between


def _options(command: click.Command, name: str) -> Iterator[tuple[str, click.Parameter]]:
    for one in command.params:
        yield f"{name} {one.name}", one
    if isinstance(command, click.Group):
        context = click.Context(command)
        for each in command.list_commands(context):
            inner = command.get_command(context, each)
            assert inner is not None
            yield from _options(inner, f"{name} {each}")


@pytest.mark.parametrize("given", ["nan", "-NaN", "inf", "-1", "601", "", "x"])
def test_what_is_no_number_between(given):
    """Neither what is outside nor what compares with nothing is taken."""
    with pytest.raises(click.BadParameter):
        Between(0, 600).convert(given, None, None)


@pytest.mark.parametrize("given", ["nan", "inf"])
def test_an_open_end(given):
    """What is not finite is no number there, either."""
    with pytest.raises(click.BadParameter):
        Between(min=1).convert(given, None, None)


def test_what_is_between():
    """The ends are taken, too."""
    assert [Between(0, 600).convert(one, None, None) for one in ("0", "1.5", "600")] == [
        0,
        1.5,
        600,
    ]


def test_every_option_with_a_range_is_read_so():
    """A wait of `nan` seconds would never end; no command takes one."""
    found = [
        (name, type(one.type))
        for name, one in _options(main, "turngate")
        if isinstance(one.type, click.types.FloatParamType)
    ]

    assert len(found) > 5
    assert {kind for _, kind in found} == {Between}, found
