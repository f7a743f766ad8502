import threading
from pathlib import Path

import numpy as np
import pytest
from onnxruntime.capi import onnxruntime_pybind11_state as foreign

from models.errors import BundleError, InferenceCancelled, InferenceError
from models.runtime import FOREIGN, Cancel, cpu_features, kernel_config, new_session

FIXTURES = Path(__file__).parent / "fixtures"
FEEDS = {"input_ids": np.array([[4, 5]]), "attention_mask": np.array([[1, 1]])}


@pytest.fixture
def session():
    """The tiny judge's graph."""
    return new_session((FIXTURES / "judge" / "model.onnx").read_bytes())


class TestForeign:
    def test_all_are_mapped(self):
        """
        Every exception type of onnxruntime is one that we translate.
        """
        theirs = {
            value
            for value in vars(foreign).values()
            if isinstance(value, type) and issubclass(value, Exception)
        }

        assert theirs
        assert theirs <= set(FOREIGN)


class TestNewSession:
    @pytest.mark.parametrize(
        "raw",
        [
            pytest.param(b"", id="empty"),
            pytest.param(b"not a graph", id="text"),
            pytest.param((FIXTURES / "judge" / "model.onnx").read_bytes()[:-50], id="truncated"),
        ],
    )
    def test_no_graph(self, raw):
        """
        Bytes that are no graph are a bundle's fault.
        """
        with pytest.raises(BundleError, match=r"model\.onnx"):
            new_session(raw)

    def test_describes_itself(self, session):
        """
        A session tells its inputs and outputs.
        """
        assert session.inputs == ("input_ids", "attention_mask")
        assert session.outputs == {"logit": ["B"]}


class TestRun:
    def test_outputs(self, session):
        """
        A run gives the graph's outputs.
        """
        assert session.run(FEEDS)[0].tolist() == [-1.0]

    @pytest.mark.parametrize(
        "feeds",
        [
            pytest.param({}, id="no input"),
            pytest.param(FEEDS | {"input_ids": np.array([[99, 5]])}, id="id beyond the table"),
            pytest.param(FEEDS | {"input_ids": np.array([4, 5])}, id="wrong rank"),
            pytest.param(FEEDS | {"input_ids": np.array([[0.5, 1]])}, id="wrong type"),
            pytest.param(FEEDS | {"other": np.array([1])}, id="unknown input"),
        ],
    )
    def test_bad_feeds(self, session, feeds):
        """
        Whatever the runtime says of bad feeds reaches callers as one error.
        """
        with pytest.raises(InferenceError):
            session.run(feeds)

    def test_cancelled_before(self, session):
        """
        A token that is set already stops a run before it starts, and the session lives on.
        """
        cancel = Cancel()
        cancel.set()

        with pytest.raises(InferenceCancelled):
            session.run(FEEDS, cancel)

        assert cancel.is_set
        assert session.run(FEEDS, Cancel())[0].tolist() == [-1.0]

    def test_cancelled_from_another_thread(self):
        """
        A run that would never end is stopped from another thread.
        """
        session = new_session((FIXTURES / "loop.onnx").read_bytes())
        cancel, outcome = Cancel(), []
        running = threading.Event()

        def work():
            running.set()
            try:
                session.run({"start": np.array(1, np.float32)}, cancel)
            except InferenceCancelled as error:
                outcome.append(error)

        thread = threading.Thread(target=work)
        thread.start()
        running.wait()
        cancel.set()
        thread.join()

        assert len(outcome) == 1


class TestKernelConfig:
    @pytest.mark.parametrize(
        ("features", "exact"),
        [
            pytest.param((), "1", id="unknown"),
            pytest.param(("avx2",), "1", id="AVX2 alone saturates"),
            pytest.param(("avx2", "avx512f"), "1", id="AVX-512 alone saturates"),
            pytest.param(("avx2", "avx_vnni"), "0", id="VNNI"),
            pytest.param(("avx512f", "avx512_vnni"), "0", id="AVX-512 VNNI"),
        ],
    )
    def test_exact_where_needed(self, features, exact):
        """
        Slower exact kernels are asked for unless the CPU is known to have exact fast ones.
        """
        assert kernel_config(features) == {"session.x64quantprecision": exact}


class TestCpuFeatures:
    def test_known_names_only(self):
        """
        Features are a tuple of plain names, the same at each call.
        """
        features = cpu_features()

        assert features == cpu_features()
        assert all(name.isidentifier() for name in features)
