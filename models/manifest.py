"""
What a bundle says of itself: `manifest.json`, typed.

Every field is checked when it is read; an unknown field, a wrong type or a senseless number is a
refusal that names the field.
"""

import hashlib
import math
from typing import Annotated, Any, Literal

import msgspec
import orjson
from msgspec import Meta, Struct

from models.errors import BundleError

#: Version of the manifest's own format.
SCHEMA = 1
#: File name of the manifest inside its bundle.
MANIFEST = "manifest.json"
#: Longest input in tokens that any bundle may ask for: the work grows as its square.
MAX_TOKENS = 512
#: What the scores of each kind of bundle are.
SPACES = {"encoder": "cosine", "judge": "logit", "answer": "probability"}
#: Levels of an answer judge: 0 another subject, 1 not the asked fact, 2 a part, 3 the answer.
LEVELS = 4
#: No trained judge says anything beyond this, in logits.
_MAX_LOGIT = 100.0

Share = Annotated[float, Meta(ge=0, le=1)]
Count = Annotated[int, Meta(ge=1)]
Sha256 = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
Name = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9._-]{0,63}\Z")]
Language = Literal["en", "hi", "hinglish", "ar", "mixed"]
Text = Annotated[str, Meta(min_length=1, max_length=2000)]
Cosine = Annotated[float, Meta(ge=-1.001, le=1.001)]


class Strict(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Frozen, keyword-only, no unknown fields."""


class Rates(Strict, frozen=True, kw_only=True):
    """How a threshold did on labelled pairs."""

    #: Share of the positives at or above the threshold.
    recall: Share
    #: Share of the negatives at or above it.
    false_accept_rate: Share
    #: Clopper-Pearson upper bound of that share, one-sided, 95 %.
    false_accept_upper95: Share
    n_positive: Count
    n_negative: Count


class Threshold(Rates, frozen=True, kw_only=True):
    """An operating point, with what it was chosen at."""

    #: In the bundle's score space; a score at or above it is accepted.
    value: float
    #: The same rates by language.
    languages: dict[Language, Rates]


class Calibration(Strict, frozen=True, kw_only=True):
    """Where the thresholds come from."""

    #: One sentence: ceiling, data, split.
    method: Text
    #: SHA-256 of each file of labelled pairs.
    data: dict[str, Sha256]


class Gate(Strict, frozen=True, kw_only=True):
    """Result of the adversarial suites on the bytes in this folder."""

    passed: bool
    cases: Count
    wrong_hits: Annotated[int, Meta(ge=0)]
    #: SHA-256 of each suite.
    suites: dict[str, Sha256]


class Quantisation(Strict, frozen=True, kw_only=True):
    """How the weights were made small, and what that cost."""

    weights: Text
    activations: Text
    embedding: Text
    #: Weights cut to 7 bits, for kernels that saturate.
    reduced_range: bool
    #: Measured distance from the fp32 graph, by measure.
    parity: dict[str, float]


class Golden(Strict, frozen=True, kw_only=True):
    """Two texts and the cosine that an encoder must give them."""

    a: Text
    b: Text
    cosine: Cosine


class Trap(Strict, frozen=True, kw_only=True):
    """A pair whose verdict is known, and the logit that a judge gave when it was packed."""

    utterance: Text
    prediction: Text
    match: bool
    logit: float


class Form(Strict, frozen=True, kw_only=True):
    """How a judge's logit is weighed by the form of its pair; see `models.form`."""

    bias: float
    #: One for each column of `models.form.columns`.
    weights: tuple[float, float, float, float, float, float, float, float]


class KnownAnswer(Strict, frozen=True, kw_only=True):
    """A question and an entry of which it is known whether it answers, at least in part."""

    question: Text
    title: str
    content: Text
    answers: bool
    #: Probability of at least a part of the answer, when it was packed.
    probability: Share


class Manifest(Strict, frozen=True, kw_only=True):
    """`manifest.json`."""

    schema: Literal[1]
    kind: Literal["encoder", "judge", "answer"]
    name: Name
    version: Name
    #: SHA-256 over the sorted (file, SHA-256) pairs; names the weights in keys and decisions.
    fingerprint: Sha256
    #: SHA-256 of the manifest without this field: thresholds cannot change unnoticed either.
    seal: Sha256
    files: dict[Name, Sha256]
    languages: Annotated[tuple[Language, ...], Meta(min_length=1)]
    score_space: Literal["cosine", "logit", "probability"]
    #: Width of a vector; 1 for a judge, and the number of levels for an answer judge.
    dimension: Count
    #: Longest input in tokens; what is longer is cut, and reported.
    max_tokens: Annotated[int, Meta(ge=8, le=MAX_TOKENS)]
    thresholds: Annotated[dict[Name, Threshold], Meta(min_length=1)]
    calibration: Calibration
    gate: Gate | None
    #: CPU flags of the machine that it was validated on.
    cpu_features: tuple[str, ...]
    #: SHA-256 of each training input.
    training_data: dict[str, Sha256]
    quantisation: Quantisation
    licence: Text
    #: An encoder's proof.
    golden: tuple[Golden, ...] = ()
    #: A judge's proof.
    traps: tuple[Trap, ...] = ()
    #: What weighs a judge's logits by the form of the pair; without it they count as they are.
    form: Form | None = None
    #: An answer judge's proof.
    known_answers: tuple[KnownAnswer, ...] = ()
    #: What an answer judge's logits are divided by, so that its probabilities can be taken at
    #: their word; chosen on validation data.
    temperature: Annotated[float, Meta(gt=0, le=100)] | None = None
    #: Largest difference from a golden cosine, a trap's logit or a known answer's probability that
    #: is still the same model.
    tolerance: Annotated[float, Meta(gt=0, le=2)]
    #: Anything else worth keeping; nothing reads it.
    notes: dict[str, Any] = {}


class _Told(Struct, frozen=True):
    """The one field that says who reads the others."""

    kind: Name


def read_manifest(raw: bytes) -> Manifest:
    """
    Decode and check a manifest.

    Raises:
        BundleError: it is not a manifest, or says something senseless; the field is named.
    """
    try:
        manifest = msgspec.json.decode(raw, type=Manifest)
    except (msgspec.MsgspecError, RecursionError, ValueError) as error:
        raise BundleError(MANIFEST, str(error)) from error
    if seal(orjson.loads(raw)) != manifest.seal:
        raise BundleError(f"{MANIFEST}: seal", "the manifest was changed after it was sealed")
    if fingerprint(manifest.files) != manifest.fingerprint:
        raise BundleError(f"{MANIFEST}: fingerprint", "does not follow from files")
    _check_kind(manifest)
    for name, threshold in manifest.thresholds.items():
        _check_threshold(f"{MANIFEST}: thresholds.{name}", threshold, manifest.score_space)
    return manifest


def told_kind(raw: bytes) -> str | None:
    """Tell the kind that any bundle's manifest gives itself, unverified; None where it has none."""
    try:
        return msgspec.json.decode(raw, type=_Told).kind
    except (msgspec.MsgspecError, RecursionError, ValueError):
        return None


def fingerprint(files: dict[str, str]) -> str:
    """SHA-256 over the sorted (file, SHA-256) pairs, as hex."""
    lines = "".join(f"{name}\n{files[name]}\n" for name in sorted(files))
    return hashlib.sha256(lines.encode()).hexdigest()


def seal(content: dict[str, Any]) -> str:
    """SHA-256 of a manifest's content without its seal, as hex; the order of keys is no part."""
    rest = {key: value for key, value in content.items() if key != "seal"}
    return hashlib.sha256(orjson.dumps(rest, option=orjson.OPT_SORT_KEYS)).hexdigest()


def _check_kind(manifest: Manifest) -> None:
    space = SPACES[manifest.kind]
    if manifest.score_space != space:
        raise BundleError(f"{MANIFEST}: score_space", f"{manifest.kind} scores are a {space}")
    if manifest.kind == "answer":
        _check_answer(manifest)
    if manifest.kind == "encoder" and not manifest.golden:
        raise BundleError(f"{MANIFEST}: golden", "an encoder cannot prove itself without")
    if manifest.kind == "judge" and not manifest.traps:
        raise BundleError(f"{MANIFEST}: traps", "a judge cannot prove itself without")
    if manifest.kind == "judge" and manifest.dimension != 1:
        raise BundleError(f"{MANIFEST}: dimension", "a judge gives one logit")
    if manifest.gate is not None and (not manifest.gate.passed or manifest.gate.wrong_hits):
        raise BundleError(f"{MANIFEST}: gate", "the bundle did not pass its gate")


def _check_answer(manifest: Manifest) -> None:
    if manifest.dimension != LEVELS:
        raise BundleError(f"{MANIFEST}: dimension", f"an answer judge gives {LEVELS} logits")
    if manifest.temperature is None:
        raise BundleError(f"{MANIFEST}: temperature", "an answer judge needs one")
    if not manifest.known_answers:
        raise BundleError(
            f"{MANIFEST}: known_answers", "an answer judge cannot prove itself without"
        )


def _check_threshold(part: str, threshold: Threshold, space: str) -> None:
    """Refuse a value that no calibration gives: it would serve everything or nothing."""
    largest = _MAX_LOGIT if space == "logit" else 1.0
    smallest = -_MAX_LOGIT if space == "logit" else 0.0
    if not math.isfinite(threshold.value) or not smallest < threshold.value < largest:
        raise BundleError(f"{part}.value", f"not between {smallest:g} and {largest:g}")
    if threshold.value == 0:
        raise BundleError(f"{part}.value", "0 is no threshold that was chosen")
    for rates in (threshold, *threshold.languages.values()):
        if rates.false_accept_upper95 < rates.false_accept_rate:
            raise BundleError(f"{part}.false_accept_upper95", "lies below the rate it bounds")
