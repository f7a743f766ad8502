"""Files that commands write: what keeps one from being written is a sentence, not a traceback."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click


def check_output(path: Path, option: str) -> None:
    """
    Look whether a file could be written: said before the work, not after it.

    Raises:
        click.BadParameter: its folder does not exist, or one of them is not ours to write.

    """
    folder = path.parent
    if not folder.is_dir():
        raise click.BadParameter("its folder does not exist", param_hint=option)
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise click.BadParameter("must not be written here", param_hint=option)


@contextmanager
def saving(path: Path, option: str) -> Iterator[None]:
    """
    Write a file in the block: an OSError that leaves it is taken for the file's.

    Raises:
        click.ClickException: the system did not let us.

    """
    try:
        yield
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise click.ClickException(f"{option}: cannot write {path}: {why}") from error
