"""`turngate bundle`: who stands behind a bundle."""

from pathlib import Path

import click
import orjson

from models.bundle import sign_bundle
from workers.errors import SettingsError
from workers.settings import Settings


@click.group("bundle")
def bundle() -> None:
    """Handle bundles of models."""


@bundle.command("sign")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.pass_obj
def sign(settings: Settings, folder: Path) -> None:
    """
    Sign the bundle in FOLDER, of any kind, with TURNGATE_BUNDLE_KEY.

    Writes `manifest.sig` there, which workers with the same key ask for. Sign last: whatever
    changes the bundle (`gate --write`, `calibrate --write`) is done without the key, and takes the
    signature away. The last line is JSON.
    """
    if not settings.bundle_key:
        raise SettingsError(
            "TURNGATE_BUNDLE_KEY, or TURNGATE_BUNDLE_KEY_FILE: the key to sign with is needed"
        )
    listed = sign_bundle(folder, settings.bundle_key.reveal())
    signed = {"signed": str(folder), "fingerprint": listed.fingerprint, "seal": listed.seal}
    click.echo(orjson.dumps(signed).decode())
