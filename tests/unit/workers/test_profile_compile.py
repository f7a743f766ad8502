"""Compiling in this process: with which encoder."""

import json
import shutil

import msgspec
import pytest

from models.errors import BundleError
from models.manifest import MANIFEST, read_manifest
from tests.intents import routing_document
from workers import profile_compile as module
from workers.profile_compile import compiled
from workers.settings import Settings

ENCODER = Settings().encoder
PROFILE = json.dumps(routing_document() | {"version": 1}).encode()


class TestEncoder:
    def test_another_one_is_refused_before_anything_of_it_is_used(self, tmp_path):
        """
        It is the seal that is named, although there is nothing else in the folder.
        """
        shutil.copyfile(ENCODER / MANIFEST, tmp_path / MANIFEST)

        with pytest.raises(BundleError, match="another one than the worker has loaded"):
            compiled(PROFILE, tmp_path, "0" * 64)

    def test_one_that_is_put_there_meanwhile_is_refused(self, monkeypatch):
        """
        What was looked at first is not what was loaded.
        """

        def first(raw):
            return msgspec.structs.replace(read_manifest(raw), seal="0" * 64)

        monkeypatch.setattr(module, "read_manifest", first)

        with pytest.raises(BundleError, match="another one than the worker has loaded"):
            compiled(PROFILE, ENCODER, "0" * 64)
