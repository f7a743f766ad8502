"""
Files that take another one's place whole: what is there stays until the new one is finished.

Only a regular file is replaced: renaming over a device or a link would take away something that
nobody meant, and root may do so.
"""

import errno
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO


def need_replaceable(path: Path) -> None:
    """
    Make sure that nothing has this name, or a regular file.

    Raises:
        OSError: something else has it: a folder, a device, a pipe, a link.

    """
    with suppress(FileNotFoundError):
        if not stat.S_ISREG(path.lstat().st_mode):
            raise OSError(errno.EINVAL, "it is there and no regular file")


@contextmanager
def own_file(path: Path) -> Iterator[IO[bytes]]:
    """
    Write what callers said: a new file for its owner alone, in its place once the block is done.

    Where the block fails, what was there stays, and nothing else is left.

    Raises:
        OSError: it cannot be written, or something that is no regular file has its name.

    """
    need_replaceable(path)
    # A new file, since one that others may read would keep its mode; this one is 0600.
    number, name = tempfile.mkstemp(dir=path.parent, prefix=".turngate-")
    try:
        with os.fdopen(number, "wb") as file:
            yield file
        need_replaceable(path)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
