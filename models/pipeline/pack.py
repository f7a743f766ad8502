"""
Last stage: a verified bundle folder, its manifest written last.

    python -m models.pipeline.pack judge --model judge.int8.onnx --tokenizer base/tokenizer.json \
        --thresholds calibration.json --quantisation quantise.json --proof traps.jsonl \
        --training-data data/train.jsonl --card cards/judge.md --version 0.1.0 --out bundles/judge

`--thresholds` is `{"thresholds": {name: ...}, "calibration": {...}}`; a judge needs the name
`serve`, an encoder `conservative`, an answer judge `answer`. `--quantisation` is the last line of
the stage `quantise`. `--proof` has one JSON object a line: `{"a", "b"}` for an encoder,
`{"utterance", "prediction", "match"}` for a judge, `{"question", "title", "content", "answers"}`
for an answer judge, which also needs `--temperature` and `--max-tokens`. The scores of the proof
are taken from the bytes that are packed, with the serving options; a trap whose verdict is not the
expected one stops the stage.

The card is the given text with the numbers of the manifest below it. The folder is loaded and
proved at the end, as the worker does it. `amend` puts a gate's result or new thresholds into a
finished bundle and seals it again. The last line of stdout is one JSON document.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from models.bundle import CARD, MODEL, TOKENIZER, load_bundle
from models.encoder import CONSERVATIVE, PREFIX, Encoder
from models.form import weighed
from models.judge import SERVE, Judge
from models.kb.answer import ANSWER, AnswerModel, probabilities
from models.kb.reading import pair_texts
from models.kb.verdict import answers
from models.manifest import LEVELS, MANIFEST, SCHEMA, SPACES, Form, Manifest, fingerprint, seal
from models.pipeline.card import with_numbers
from models.pipeline.evaluate import read_form
from models.pipeline.scoring import MAX_TOKENS, run_all
from models.runtime import Session, cpu_features, new_session
from models.tokens import Tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Languages that the base vocabulary was trimmed to.
LANGUAGES = ("en", "hi", "hinglish", "ar")
#: Largest difference of a cosine or a logit between machines: kernels of other CPUs add floats in
#: another order, and a rounding step of an activation may then fall the other way. A probability
#: moves by a quarter of its logit, at most.
TOLERANCE = {"encoder": 0.01, "judge": 0.25, "answer": 0.06}
#: Numbers that a graph gives for a pair.
_WIDTH = {"judge": 1, "answer": LEVELS}


def pack(
    kind: str,
    *,
    out: Path,
    model: Path,
    tokenizer: Path,
    card: str,
    version: str,
    thresholds: dict[str, Any],
    calibration: dict[str, Any],
    quantisation: dict[str, Any],
    proof: Sequence[dict[str, Any]],
    training_data: dict[str, str],
    licence: str,
    name: str | None = None,
    gate: dict[str, Any] | None = None,
    notes: dict[str, Any] | None = None,
    temperature: float | None = None,
    max_tokens: int = MAX_TOKENS,
    form: Form | None = None,
) -> Manifest:
    """
    Write a bundle, replacing the folder's old one only once the new one has proved itself.

    Args:
        kind: "encoder", "judge" or "answer".
        out: the bundle's folder.
        model: the int8 graph.
        tokenizer: the trimmed tokenizer.json.
        card: text of the model card, Markdown; the numbers are appended.
        version: of the bundle.
        thresholds: by name, in the manifest's form.
        calibration: in the manifest's form.
        quantisation: what the stage `quantise` returned.
        proof: texts with known cosines, or pairs with known verdicts; see the module.
        training_data: SHA-256 by name.
        licence: of the weights.
        name: of the bundle; "turngate-<kind>" by default.
        gate: result of the adversarial suites, where there is one.
        notes: anything else worth keeping.
        temperature: of an answer judge.
        max_tokens: longest input; a bucket's length.
        form: what weighs a judge's logits.

    Raises:
        BundleError: what was written does not load or does not prove itself.
    """
    session = new_session(model.read_bytes())
    tokens = Tokens(tokenizer.read_bytes(), max_tokens)
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "kind": kind,
        "name": name or f"turngate-{kind}",
        "version": version,
        "languages": LANGUAGES,
        "score_space": SPACES[kind],
        "dimension": session.outputs["vector"][-1] if kind == "encoder" else _WIDTH[kind],
        "max_tokens": max_tokens,
        "thresholds": thresholds,
        "calibration": calibration,
        "gate": gate,
        "cpu_features": cpu_features(),
        "training_data": training_data,
        "quantisation": {k: v for k, v in quantisation.items() if k != "bytes"},
        "licence": licence,
        "golden": _golden(proof, session, tokens) if kind == "encoder" else [],
        "traps": _traps(proof, session, tokens, form) if kind == "judge" else [],
        "form": form,
        "tolerance": TOLERANCE[kind],
        "notes": notes or {},
    }
    if kind == "answer":
        content["known_answers"] = _known_answers(proof, session, tokens, temperature or 1.0)
        content["temperature"] = temperature
    return _publish(out, model, tokenizer, card, content)


def amend(folder: Path, **changes: Any) -> Manifest:
    """
    Change fields of a finished bundle's manifest (`thresholds`, `gate`, `notes`...), and seal it.

    The numbers of the card follow, so the fingerprint changes where they do.

    Raises:
        BundleError: the bundle did not verify before, or does not afterwards; it is then unchanged.
    """
    bundle = load_bundle(folder)
    content = json.loads((folder / MANIFEST).read_bytes()) | changes
    card = bundle.files[CARD].decode()
    return _publish(folder, folder / MODEL, folder / TOKENIZER, card, content)


def prove(folder: Path) -> Manifest:
    """Load a bundle as the worker does and let it prove itself; BundleError when it does not."""
    kind = load_bundle(folder).manifest.kind
    if kind == "encoder":
        encoder = Encoder.load(folder)
        encoder.prove()
        return encoder.manifest
    judge = AnswerModel.load(folder) if kind == "answer" else Judge.load(folder)
    judge.prove()
    return judge.manifest


def sha256(path: Path) -> str:
    """SHA-256 of a file, as hex."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _golden(
    proof: Sequence[dict[str, Any]], session: Session, tokens: Tokens
) -> list[dict[str, Any]]:
    """Pairs of texts with the cosines that these bytes give."""
    left = run_all(session, tokens, [(PREFIX + row["a"],) for row in proof])
    right = run_all(session, tokens, [(PREFIX + row["b"],) for row in proof])
    return [
        {**row, "cosine": round(float(cosine), 5)}
        for row, cosine in zip(proof, (left * right).sum(axis=1), strict=True)
    ]


def _traps(
    proof: Sequence[dict[str, Any]], session: Session, tokens: Tokens, form: Form | None
) -> list[dict[str, Any]]:
    """Pairs with the logits that these bytes give, weighed as they are served."""
    pairs = [(row["utterance"], row["prediction"]) for row in proof]
    logits = weighed(form, pairs, run_all(session, tokens, pairs))
    return [
        {**row, "logit": round(float(logit), 4)} for row, logit in zip(proof, logits, strict=True)
    ]


def _known_answers(
    proof: Sequence[dict[str, Any]], session: Session, tokens: Tokens, temperature: float
) -> list[dict[str, Any]]:
    """Questions and entries with the probability of an answer that these bytes give."""
    pairs = [pair_texts(row["question"], row["title"], row["content"]) for row in proof]
    found = probabilities(run_all(session, tokens, pairs), temperature)
    return [
        {**row, "probability": round(answers(levels), 4)}
        for row, levels in zip(proof, found, strict=True)
    ]


def _publish(
    out: Path, model: Path, tokenizer: Path, card: str, content: dict[str, Any]
) -> Manifest:
    """Write beside the place, prove, then take the place of the old folder."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent) as folder:
        made = Path(folder) / out.name
        made.mkdir()
        shutil.copyfile(model, made / MODEL)
        shutil.copyfile(tokenizer, made / TOKENIZER)
        (made / CARD).write_text(with_numbers(card, content), "utf-8")
        _write_manifest(made, content)
        manifest = prove(made)
        shutil.rmtree(out, ignore_errors=True)
        made.rename(out)
    return manifest


def _write_manifest(folder: Path, content: dict[str, Any]) -> None:
    """Hash the files beside it, seal, and write."""
    files = {path.name: sha256(path) for path in sorted(folder.iterdir())}
    content = {**content, "files": files, "fingerprint": fingerprint(files)}
    # Through JSON once, so that what is sealed is what a reader parses.
    content = msgspec.json.decode(msgspec.json.encode(content))
    content["seal"] = seal(content)
    raw = msgspec.json.format(msgspec.json.encode(content), indent=1)
    (folder / MANIFEST).write_bytes(raw + b"\n")


def main(argv: list[str] | None = None) -> None:
    """Run the stage from the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kind", choices=("encoder", "judge", "answer"))
    for option in ("model", "tokenizer", "thresholds", "quantisation", "proof", "card", "out"):
        parser.add_argument(f"--{option}", type=Path, required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--licence", default="MIT (weights of multilingual-e5-small)")
    parser.add_argument("--training-data", type=Path, nargs="*", default=[], help="files to hash")
    parser.add_argument("--gate", type=Path, help="JSON of the gate's result")
    parser.add_argument("--form", type=Path, help="of a judge: what the stage `form` wrote")
    parser.add_argument("--temperature", type=float, help="of an answer judge")
    parser.add_argument("--max-tokens", type=int, default=MAX_TOKENS, help="longest input")
    args = parser.parse_args(argv)
    chosen = json.loads(args.thresholds.read_text("utf-8"))
    needed = {"encoder": CONSERVATIVE, "judge": SERVE, "answer": ANSWER}[args.kind]
    if needed not in chosen["thresholds"]:
        parser.error(f"--thresholds has no {needed}")
    manifest = pack(
        args.kind,
        out=args.out,
        model=args.model,
        tokenizer=args.tokenizer,
        card=args.card.read_text("utf-8"),
        version=args.version,
        thresholds=chosen["thresholds"],
        calibration=chosen["calibration"],
        quantisation=json.loads(args.quantisation.read_text("utf-8").splitlines()[-1]),
        proof=[json.loads(line) for line in args.proof.read_text("utf-8").splitlines()],
        training_data={path.name: sha256(path) for path in args.training_data},
        licence=args.licence,
        gate=json.loads(args.gate.read_text("utf-8")) if args.gate else None,
        temperature=args.temperature,
        max_tokens=args.max_tokens,
        form=read_form(args.form),
    )
    size = sum(path.stat().st_size for path in args.out.iterdir())
    print(json.dumps({"fingerprint": manifest.fingerprint, "bytes": size, "out": str(args.out)}))


if __name__ == "__main__":
    main()
