"""
Stage: an encoder between its base and what the warm-up made of it.

    python -m models.pipeline.blend --base base --warm warm --share 0.6 --out blended

The warm-up teaches what callers mean and forgets some of what the base knows of topics, which a
router of a few examples an intent lives on. Weights on the straight line between the two keep most
of both (Wortsman et al. 2022, "Robust fine-tuning of zero-shot models", arXiv 2109.01903).
EXPERIMENTS.md has the figures that the share was chosen on.

Writes an encoder as `trim` does. The last line of stdout is one JSON document.
"""

# mypy: disable-error-code="import-not-found, no-any-return"

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from models.pipeline.network import BertEncoder, load_trimmed, save_encoder
from models.pipeline.pair import load_judge, save_judge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import nn

#: Share of the warmed-up encoder.
SHARE = 0.6


def between(base: nn.Module, warm: nn.Module, share: float) -> dict[str, torch.Tensor]:
    """
    Return weights that are each `share` of the way from `base` to `warm`.

    The word table, which is the same in both, stays as it is, bit for bit.
    """
    far = warm.state_dict()
    return {
        name: near if torch.equal(near, far[name]) else torch.lerp(near, far[name], share)
        for name, near in base.state_dict().items()
    }


def blend(base: BertEncoder, warm: BertEncoder, share: float) -> BertEncoder:
    """Return an encoder whose every weight is `share` of the way from `base` to `warm`."""
    made = BertEncoder(base.config)
    made.load_state_dict(between(base, warm, share))
    return made.eval()


def main(argv: Sequence[str] | None = None) -> None:
    """Run the stage."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--base", type=Path, required=True, help="folder of the trimmed encoder, or a judge.pt"
    )
    parser.add_argument(
        "--warm", type=Path, required=True, help="folder of the warmed-up one, or a judge.pt"
    )
    parser.add_argument("--share", type=float, default=SHARE, help="of the latter, 0 to 1")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args(argv)
    if not 0 <= args.share <= 1:
        parser.error("--share: from 0 to 1")
    if args.base.is_file():
        judge = load_judge(args.base)
        judge.load_state_dict(between(judge, load_judge(args.warm), args.share))
        save_judge(args.out, judge, {"share": args.share})
    else:
        made = blend(load_trimmed(args.base), load_trimmed(args.warm), args.share)
        save_encoder(args.out, made, {"share": args.share})
        shutil.copyfile(args.base / "tokenizer.json", args.out / "tokenizer.json")
    print(json.dumps({"share": args.share}))


if __name__ == "__main__":
    main()
