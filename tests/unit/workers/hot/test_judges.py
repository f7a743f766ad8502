"""The models of the match gate, loaded or done without."""

from pathlib import Path

import pytest
from prometheus_client import REGISTRY

from models.errors import BundleError
from workers.hot.judges import _load_judge, load_models
from workers.metrics import DEGRADED
from workers.settings import Settings

ENCODER = Settings().encoder
TINY = Path(__file__).parents[2] / "models" / "fixtures" / "judge"


@pytest.fixture(autouse=True)
def whole():
    """Leave nothing degraded behind."""
    yield
    DEGRADED.labels("judge").set(0)


def degraded() -> float:
    return DEGRADED.labels("judge")._value.get()


def test_the_metric_shows_files_and_numbers_of_both() -> None:
    """A threshold that was changed and sealed again shows another seal."""
    models = load_models(ENCODER, TINY, threads=1)

    assert models.judge is not None
    assert degraded() == 0
    for kind, model in (("encoder", models.encoder), ("judge", models.judge)):
        seal = model.manifest.seal
        labels = {"kind": kind, "fingerprint": model.fingerprint, "seal": seal}
        assert REGISTRY.get_sample_value("turngate_bundle_info", labels) == 1


def test_a_judge_that_is_not_there_is_done_without(tmp_path, caplog) -> None:
    """The gate goes on by cosine, and says so."""
    assert _load_judge(tmp_path / "nothing", 1) is None
    assert degraded() == 1
    assert "judge_degraded" in caplog.text


@pytest.mark.parametrize(
    "what", ["models.screen.prove", "models.match.prove", "models.encoder.Encoder.prove"]
)
def test_what_does_not_prove_itself_stops_the_start(monkeypatch, what) -> None:
    """A guard or an encoder that answers wrongly on this machine decides no turn."""
    monkeypatch.setattr(what, fails)

    with pytest.raises(BundleError, match="trap"):
        load_models(ENCODER, TINY, threads=1)


def test_a_judge_that_does_not_prove_itself_is_done_without(monkeypatch, caplog) -> None:
    """It degrades as one that is not there."""
    monkeypatch.setattr("models.judge.Judge.prove", fails)

    assert _load_judge(TINY, 1) is None
    assert degraded() == 1
    assert "judge_degraded" in caplog.text


def fails(*_model) -> None:
    raise BundleError("trap", "is wrong")


def test_an_encoder_that_is_not_signed_stops_the_start(monkeypatch) -> None:
    """Where signatures are asked for there is no gate without one."""
    monkeypatch.setattr("models.signature._policy.key", b"a key of sixteen")

    with pytest.raises(BundleError, match=r"manifest\.sig"):
        load_models(ENCODER, TINY, threads=1)


def test_a_judge_that_is_not_signed_is_done_without(monkeypatch, caplog) -> None:
    """It degrades as a broken one does."""
    monkeypatch.setattr("models.signature._policy.key", b"a key of sixteen")

    assert _load_judge(TINY, 1) is None
    assert degraded() == 1
    assert "judge_degraded" in caplog.text
