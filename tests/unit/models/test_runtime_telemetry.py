"""The inference library keeps to itself."""

import os
import subprocess
import sys
from pathlib import Path

_LOOP = Path(__file__).parent / "fixtures" / "loop.onnx"
#: Loads a model with the library as we load it.
_LOAD = """
import sys
from pathlib import Path
from models.runtime import new_session
new_session(Path(sys.argv[1]).read_bytes(), 1)
"""


def test_nothing_is_kept_or_reported(tmp_path) -> None:
    """Its wheels come with telemetry that is on; with ours, no device id and no queue appear."""
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", _LOAD, str(_LOOP)],
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(tmp_path),
            "PYTHONPATH": str(Path(__file__).parents[3]),
        },
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*")] == []
