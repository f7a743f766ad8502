"""Files that take another one's place whole."""

import os
import stat

import pytest

from workers.own_file import own_file
from workers.record_file import replace_record


def special(path, kind):
    """Put something there that is no regular file."""
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "link to a file":
        path.with_name("target").write_bytes(b"target")
        path.symlink_to(path.with_name("target"))
    elif kind == "link to a device":
        path.symlink_to("/dev/full")
    else:
        path.symlink_to(path.with_name("nothing"))


def write_own(path):
    with own_file(path) as file:
        file.write(b"new")


KINDS = ["folder", "pipe", "link to a file", "link to a device", "link to nothing"]


@pytest.mark.parametrize("before", [None, b"old"], ids=["new", "there"])
def test_it_is_written_for_its_owner_alone(tmp_path, before) -> None:
    """Whatever the mode of an older one was; and no other file is left."""
    path = tmp_path / "log"
    if before is not None:
        path.write_bytes(before)
        path.chmod(0o644)

    with own_file(path) as file:
        file.write(b"new")
        assert not path.exists() if before is None else path.read_bytes() == before

    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_the_old_one_stays_where_writing_fails(tmp_path, error) -> None:
    """Half a file is no file, and nothing is left beside it."""
    path = tmp_path / "log"
    path.write_bytes(b"old")

    def lines():
        yield b"ne"
        raise error

    with pytest.raises(error), own_file(path) as file:
        file.writelines(lines())

    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "write", [write_own, lambda path: replace_record(path, {})], ids=["own", "record"]
)
def test_only_a_regular_file_is_replaced(tmp_path, kind, write) -> None:
    """Everything else stays what it is, and the error says why."""
    path = tmp_path / "log"
    special(path, kind)
    before = path.lstat()

    with pytest.raises(OSError, match="no regular file"):
        write(path)

    assert path.lstat() == before


@pytest.mark.parametrize(
    "write", [write_own, lambda path: replace_record(path, {})], ids=["own", "record"]
)
def test_whoever_reads_the_old_one_reads_on(tmp_path, write) -> None:
    """It is another file that takes its place: no reader sees half of the new one."""
    path = tmp_path / "log"
    path.write_bytes(b"old")

    with path.open("rb") as reader:
        write(path)
        assert reader.read() == b"old"

    assert path.read_bytes() != b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_what_takes_its_place_meanwhile_stays(tmp_path) -> None:
    """A device that is put there while the file is written is not renamed over."""
    path = tmp_path / "log"

    with pytest.raises(OSError, match="no regular file"), own_file(path):
        os.mkfifo(path)

    assert stat.S_ISFIFO(path.lstat().st_mode)
    assert list(tmp_path.iterdir()) == [path]
