import json
from pathlib import Path

import pytest

from models.errors import BundleError
from models.manifest import fingerprint, read_manifest, seal, told_kind

JUDGE = Path(__file__).parent / "fixtures" / "judge" / "manifest.json"
ANSWER = JUDGE.parents[1] / "answer" / "manifest.json"


def sealed(**changes) -> bytes:
    """The judge's manifest with top-level changes and a seal that fits them."""
    content = json.loads(JUDGE.read_bytes()) | changes
    return json.dumps(content | {"seal": seal(content)}).encode()


def with_threshold(**changes) -> bytes:
    """The judge's manifest with changes to the threshold `serve`."""
    thresholds = json.loads(JUDGE.read_bytes())["thresholds"]
    return sealed(thresholds={"serve": thresholds["serve"] | changes})


class TestReadManifest:
    def test_valid(self):
        """
        A manifest as packed is read.
        """
        manifest = read_manifest(JUDGE.read_bytes())

        assert manifest.kind == "judge"
        assert manifest.thresholds["serve"].value == 1.5

    @pytest.mark.parametrize("field", sorted(set(json.loads(JUDGE.read_bytes())) - {"seal"}))
    def test_missing_field(self, field):
        """
        A manifest without one of its fields is refused, or falls back to "nothing to prove with".
        """
        content = json.loads(JUDGE.read_bytes())
        del content[field]
        raw = json.dumps(content | {"seal": seal(content)}).encode()

        if field in ("notes", "golden"):
            assert read_manifest(raw).kind == "judge"
        else:
            with pytest.raises(BundleError, match=field):
                read_manifest(raw)

    @pytest.mark.parametrize(
        ("changes", "part"),
        [
            pytest.param({"schema": 2}, "schema", id="later schema"),
            pytest.param({"kind": "router"}, "kind", id="unknown kind"),
            pytest.param({"score_space": "cosine"}, "score_space", id="space of the other kind"),
            pytest.param({"dimension": 0}, "dimension", id="no dimension"),
            pytest.param({"dimension": 384}, "dimension", id="a judge with a wide output"),
            pytest.param({"max_tokens": 100_000}, "max_tokens", id="endless input"),
            pytest.param({"languages": []}, "languages", id="no language"),
            pytest.param({"languages": ["xx"]}, "languages", id="unknown language"),
            pytest.param({"thresholds": {}}, "thresholds", id="no threshold"),
            pytest.param({"traps": []}, "traps", id="nothing to prove with"),
            pytest.param({"tolerance": 0}, "tolerance", id="no tolerance"),
            pytest.param({"version": 1}, "version", id="version is a number"),
            pytest.param({"extra": 1}, "extra", id="unknown field"),
            pytest.param({"fingerprint": "0" * 64}, "fingerprint", id="another fingerprint"),
            pytest.param({"files": {"../model.onnx": "0" * 64}}, "files", id="path upwards"),
            pytest.param({"files": {"a/b": "0" * 64}}, "files", id="path downwards"),
            pytest.param({"files": {".hidden": "0" * 64}}, "files", id="hidden file"),
            pytest.param({"files": {"model.onnx\n": "0" * 64}}, "files", id="line feed in a name"),
            pytest.param({"files": {"model.onnx": "0" * 63}}, "files", id="short hash"),
            pytest.param(
                {"gate": {"passed": False, "cases": 9, "wrong_hits": 1, "suites": {}}},
                "gate",
                id="gate failed",
            ),
            pytest.param(
                {"gate": {"passed": True, "cases": 9, "wrong_hits": 1, "suites": {}}},
                "gate",
                id="gate passed with a wrong hit",
            ),
        ],
    )
    def test_senseless_field(self, changes, part):
        """
        A field that no pipeline writes is refused by name, although the seal fits.
        """
        with pytest.raises(BundleError, match=part):
            read_manifest(sealed(**changes))

    @pytest.mark.parametrize(
        "changes",
        [
            pytest.param({"value": 0.0}, id="zero"),
            pytest.param({"value": "1.5"}, id="text"),
            pytest.param({"value": True}, id="boolean"),
            pytest.param({"value": None}, id="null"),
            pytest.param({"value": 1e6}, id="beyond any logit"),
            pytest.param({"value": float("inf")}, id="infinity"),
            pytest.param({"value": float("nan")}, id="not a number"),
            pytest.param({"recall": 1.5}, id="recall above 1"),
            pytest.param({"false_accept_rate": -0.1}, id="negative rate"),
            pytest.param({"false_accept_upper95": 0.0, "false_accept_rate": 0.1}, id="bound below"),
            pytest.param({"n_negative": 0}, id="measured on nothing"),
            pytest.param({"languages": {"en": {}}}, id="language without rates"),
        ],
    )
    def test_senseless_threshold(self, changes):
        """
        A threshold that no calibration gives is refused.
        """
        with pytest.raises(BundleError, match="manifest"):
            read_manifest(with_threshold(**changes))

    def test_changed_after_sealing(self):
        """
        A threshold that was edited in the file does not go unnoticed.
        """
        raw = JUDGE.read_bytes().replace(b'"value": 1.5', b'"value": 1.0')

        with pytest.raises(BundleError, match="seal"):
            read_manifest(raw)

    def test_every_byte(self):
        """
        No flipped bit goes unnoticed, but in white space between the parts.
        """
        whole = JUDGE.read_bytes()
        unnoticed = set()
        for at in range(len(whole)):
            flipped = bytearray(whole)
            flipped[at] ^= 1
            try:
                read_manifest(bytes(flipped))
            except BundleError:
                continue
            unnoticed.add(whole[at : at + 1])

        assert unnoticed <= {b" ", b"\n"}

    @pytest.mark.parametrize(
        "raw",
        [
            pytest.param(b"", id="empty"),
            pytest.param(b"[]", id="no object"),
            pytest.param(JUDGE.read_bytes()[:-40], id="truncated"),
            pytest.param(b'{"schema": "\xff"}', id="no UTF-8"),
            pytest.param(b"[" * 100_000, id="deep nesting"),
        ],
    )
    def test_no_manifest(self, raw):
        """
        Bytes that are no manifest are refused with the same error.
        """
        with pytest.raises(BundleError, match="manifest"):
            read_manifest(raw)


class TestAnswer:
    def test_valid(self):
        """
        The manifest of an answer judge is read.
        """
        assert read_manifest(ANSWER.read_bytes()).temperature == 2.0

    @pytest.mark.parametrize(
        ("changes", "part"),
        [
            pytest.param({"dimension": 1}, "dimension", id="one logit"),
            pytest.param({"temperature": None}, "temperature", id="no temperature"),
            pytest.param({"temperature": 0}, "temperature", id="temperature 0"),
            pytest.param({"temperature": -1.0}, "temperature", id="negative temperature"),
            pytest.param({"temperature": float("nan")}, "manifest", id="no number"),
            pytest.param({"known_answers": []}, "known_answers", id="nothing to prove with"),
            pytest.param({"score_space": "logit"}, "score_space", id="logits"),
        ],
    )
    def test_senseless(self, changes, part):
        """
        What no pipeline writes is refused by name.
        """
        content = json.loads(ANSWER.read_bytes()) | changes

        with pytest.raises(BundleError, match=part):
            read_manifest(json.dumps(content | {"seal": seal(content)}).encode())

    @pytest.mark.parametrize("value", [0.0, 1.0, -0.1, 1.5])
    def test_senseless_threshold(self, value):
        """
        A threshold that no probability is on both sides of is refused.
        """
        content = json.loads(ANSWER.read_bytes())
        content["thresholds"]["answer"]["value"] = value

        with pytest.raises(BundleError, match="thresholds"):
            read_manifest(json.dumps(content | {"seal": seal(content)}).encode())


class TestFingerprint:
    def test_order(self):
        """
        The order in which files are listed is no part of the fingerprint; names and hashes are.
        """
        one = fingerprint({"a": "1", "b": "2"})

        assert one == fingerprint({"b": "2", "a": "1"})
        assert one != fingerprint({"a": "2", "b": "1"})
        assert one != fingerprint({"a": "1", "c": "2"})


class TestToldKind:
    def test_of_any_bundle(self):
        """
        The kind is told also where no other field is known here.
        """
        assert told_kind(ANSWER.read_bytes()) == "answer"
        assert told_kind(b'{"kind": "reasons", "topic": {}}') == "reasons"

    @pytest.mark.parametrize(
        "raw", [b"", b"[]", b"{}", b'{"kind": 1}', b'{"kind": "Two words"}', b"[" * 9999]
    )
    def test_no_manifest(self, raw):
        """
        What tells no kind has none, and nothing of it is shown later.
        """
        assert told_kind(raw) is None
