"""
onnxruntime with the options that every session here shares.

Foreign exceptions end in this module: building a session raises BundleError, running one raises
InferenceError.
"""

from __future__ import annotations

import ctypes
import os
import threading
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

# Read once, when the library is loaded: its wheels report to their maker over the network and keep
# a device id in the home folder. `disable_telemetry_events` comes too late for both.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import onnxruntime
from onnxruntime.capi import onnxruntime_pybind11_state as foreign

from models.errors import BundleError, InferenceCancelled, InferenceError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

#: Whatever onnxruntime raises: its own types, and Python's for bad inputs.
FOREIGN = (
    foreign.DeviceReset,
    foreign.EngineError,
    foreign.EPFail,
    foreign.Fail,
    foreign.InvalidArgument,
    foreign.InvalidGraph,
    foreign.InvalidProtobuf,
    foreign.ModelLoadCanceled,
    foreign.ModelLoaded,
    foreign.ModelRequiresCompilation,
    foreign.NoModel,
    foreign.NoSuchFile,
    foreign.NotFound,
    foreign.NotImplemented,
    foreign.RuntimeException,
    RuntimeError,
    TypeError,
    ValueError,
)

#: Session settings beside the thread counts: idle threads burn no core between events.
CONFIG = {"session.intra_op.allow_spinning": "0", "session.inter_op.allow_spinning": "0"}

#: On x86 without VNNI the int8 kernels saturate and answer wrongly; this setting takes slower but
#: exact ones. With VNNI the fast ones are exact, and the setting would cost 1.7 times the time.
_EXACT_KERNELS = "session.x64quantprecision"
_EXACT_ANYWAY = {"avx_vnni", "avx512_vnni"}

#: Its fused kernel takes ten times as long as the addition and the norm apart (0.69 against
#: 0.08 ms for 480 tokens), which is a fifth of a judge's batch.
DISABLED = ("SkipLayerNormFusion",)

#: glibc: blocks up to here come from the heap, and freed heap up to here is kept. Without them
#: the kernel takes activations back after each run: 15,000 page faults a batch.
_M_MMAP_THRESHOLD, _HEAP_BLOCK_BYTES = -3, 32 << 20
_M_TRIM_THRESHOLD, _KEPT_BYTES = -1, 64 << 20

#: Flags of a CPU that decide which kernels run; recorded in manifests.
_FEATURES = ("avx2", "avx_vnni", "avx512f", "avx512_vnni", "amx_int8", "asimddp", "i8mm")


class Cancel:
    """
    Stops runs from another thread.

    One token may cover several runs in a row; once set, it stays set. A run notices
    between two operations of the graph, so it ends within about one operation's time.
    """

    def __init__(self) -> None:
        self._options = onnxruntime.RunOptions()
        self._asked = threading.Event()

    def set(self) -> None:
        """Stop the run in progress and every later one with this token; any thread may call."""
        self._asked.set()
        self._options.terminate = True

    @property
    def is_set(self) -> bool:
        """True once `set` was called."""
        return self._asked.is_set()

    @property
    def options(self) -> onnxruntime.RunOptions:
        """What a session needs to notice this token."""
        return self._options


class Session:
    """A loaded graph; one run at a time is the caller's duty."""

    def __init__(self, session: onnxruntime.InferenceSession) -> None:
        self._session = session
        #: Names of the graph's inputs, in order.
        self.inputs = tuple(item.name for item in session.get_inputs())
        #: Names and shapes of the outputs; a free dimension is a string.
        self.outputs: dict[str, list[int | str]] = {
            item.name: item.shape for item in session.get_outputs()
        }

    def run(
        self, feeds: Mapping[str, NDArray[Any]], cancel: Cancel | None = None
    ) -> list[NDArray[Any]]:
        """
        Compute all outputs.

        Args:
            feeds: an array for each input.
            cancel: lets another thread stop this run.

        Raises:
            InferenceCancelled: the token was set before or during the run.
            InferenceError: the runtime refused the inputs or failed.
        """
        if cancel is not None and cancel.is_set:
            message = "cancelled before the run"
            raise InferenceCancelled(message)
        options = None if cancel is None else cancel.options
        try:
            outputs: list[NDArray[Any]] = self._session.run(None, dict(feeds), options)
        except FOREIGN as error:
            if cancel is not None and cancel.is_set:
                message = "cancelled during the run"
                raise InferenceCancelled(message) from error
            message = f"onnxruntime raised {type(error).__name__}"
            raise InferenceError(message) from error
        return outputs


def new_session(model: bytes, threads: int = 1) -> Session:
    """
    Load a single-file graph from its bytes, on the CPU.

    Args:
        model: the bytes of model.onnx, already verified.
        threads: threads of one operation; they sleep between runs.

    Raises:
        BundleError: the bytes are no graph that this runtime can run.
    """
    _keep_freed_memory()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    options.enable_mem_pattern = False
    options.log_severity_level = 4  # errors reach us as exceptions; the log would repeat them
    for key, value in {**CONFIG, **kernel_config(cpu_features())}.items():
        options.add_session_config_entry(key, value)
    try:
        session = onnxruntime.InferenceSession(
            model,
            options,
            providers=["CPUExecutionProvider"],
            disabled_optimizers=list(DISABLED),
        )
    except FOREIGN as error:
        part, reason = "model.onnx", f"onnxruntime raised {type(error).__name__}"
        raise BundleError(part, reason) from error
    return Session(session)


def cpu_features() -> tuple[str, ...]:
    """The CPU flags of this machine that decide which kernels run; empty where not known."""
    try:
        flags = set(Path("/proc/cpuinfo").read_text("ascii", "replace").split())
    except OSError:
        return ()
    return tuple(name for name in _FEATURES if name in flags)


def kernel_config(features: tuple[str, ...]) -> dict[str, str]:
    """The setting that keeps int8 products exact on a CPU with these features."""
    return {_EXACT_KERNELS: "0" if _EXACT_ANYWAY.intersection(features) else "1"}


@cache
def _keep_freed_memory() -> None:
    """Ask glibc, once a process, to keep the memory of freed activations for the next run."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_MMAP_THRESHOLD, _HEAP_BLOCK_BYTES)
        mallopt(_M_TRIM_THRESHOLD, _KEPT_BYTES)
