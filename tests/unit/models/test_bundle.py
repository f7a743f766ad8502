import os
import shutil
from pathlib import Path

import pytest

from models import bundle as module
from models.bundle import load_bundle
from models.errors import BundleError

JUDGE = Path(__file__).parent / "fixtures" / "judge"
FILES = ("model.onnx", "tokenizer.json", "card.md")


@pytest.fixture
def folder(tmp_path):
    """A copy of the tiny judge's bundle."""
    return shutil.copytree(JUDGE, tmp_path / "judge")


class TestLoadBundle:
    def test_bytes_are_those_verified(self, folder):
        """
        What is handed on are the bytes that were hashed, even if the file changes afterwards.
        """
        bundle = load_bundle(folder)
        (folder / "model.onnx").write_bytes(b"swapped")

        assert bundle.files["model.onnx"] == (JUDGE / "model.onnx").read_bytes()
        assert set(bundle.files) == set(FILES)

    @pytest.mark.parametrize("name", [*FILES, "manifest.json"])
    def test_missing(self, folder, name):
        """
        A missing file is refused by name.
        """
        (folder / name).unlink()

        with pytest.raises(BundleError, match=name):
            load_bundle(folder)

    @pytest.mark.parametrize("name", FILES)
    def test_one_bit_flipped(self, folder, name):
        """
        One flipped bit in any file is refused by the file's name.
        """
        content = bytearray((folder / name).read_bytes())
        content[len(content) // 2] ^= 1
        (folder / name).write_bytes(content)

        with pytest.raises(BundleError, match=name):
            load_bundle(folder)

    @pytest.mark.parametrize("name", FILES)
    def test_truncated(self, folder, name):
        """
        A file that was not copied to its end is refused.
        """
        content = (folder / name).read_bytes()
        (folder / name).write_bytes(content[:-1])

        with pytest.raises(BundleError, match=name):
            load_bundle(folder)

    def test_swapped_files(self, folder):
        """
        The tokenizer in the model's place is refused.
        """
        shutil.copyfile(folder / "tokenizer.json", folder / "model.onnx")

        with pytest.raises(BundleError, match=r"model\.onnx"):
            load_bundle(folder)

    @pytest.mark.parametrize("name", [*FILES, "manifest.json"])
    def test_too_large(self, folder, name, monkeypatch):
        """
        A file beyond its limit is refused before it is used.
        """
        monkeypatch.setitem(module.MAX_BYTES, name, 10)

        with pytest.raises(BundleError, match=f"{name}: is larger"):
            load_bundle(folder)

    def test_link(self, folder):
        """
        A link is not followed, even to the right bytes.
        """
        (folder / "model.onnx").unlink()
        (folder / "model.onnx").symlink_to(JUDGE / "model.onnx")

        with pytest.raises(BundleError, match=r"model\.onnx"):
            load_bundle(folder)

    def test_pipe(self, folder):
        """
        A pipe in a file's place is refused and does not block.
        """
        (folder / "model.onnx").unlink()
        os.mkfifo(folder / "model.onnx")

        with pytest.raises(BundleError, match=r"model\.onnx"):
            load_bundle(folder)

    def test_folder_in_place_of_a_file(self, folder):
        """
        A folder in a file's place is refused.
        """
        (folder / "card.md").unlink()
        (folder / "card.md").mkdir()

        with pytest.raises(BundleError, match=r"card\.md"):
            load_bundle(folder)

    def test_no_folder(self, tmp_path):
        """
        A folder that does not exist is refused like a bundle without a manifest.
        """
        with pytest.raises(BundleError, match=r"manifest\.json"):
            load_bundle(tmp_path / "nowhere")
