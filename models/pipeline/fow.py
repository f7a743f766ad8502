"""
The question pairs of the public benchmark `fow-cache` as rows, to measure a judge once a release.

    python -m models.pipeline.fow --out fow.jsonl && turngate eval match fow.jsonl

600 labelled pairs of general questions, written by language models (data CC BY 4.0, Mabon ap Gwyn;
not committed here), far from callers' turns. Never train, tune or choose anything on them. Needs
the extra `train`. The last line of stdout is one JSON document: rows and positives.
"""

# mypy: disable-error-code="import-not-found"

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence


def row(item: dict[str, Any]) -> dict[str, Any]:
    """Return one pair as `turngate eval match` reads it: the new question is the utterance."""
    return {
        "id": item["id"],
        "language": "en",
        "utterance": item["b"],
        "prediction": item["a"],
        "label": int(item["same_answer"]),
        "class": item["category"],
    }


def main(argv: Sequence[str] | None = None) -> None:
    """Run the stage."""
    from fow_cache.data import load_questions  # noqa: PLC0415 - only this stage needs it

    parser = argparse.ArgumentParser(description="Write the pairs of fow-cache as rows.")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args(argv)
    rows = [row(item) for item in load_questions()]
    args.out.write_text("".join(json.dumps(one) + "\n" for one in rows), "utf-8")
    print(json.dumps({"rows": len(rows), "positives": sum(one["label"] for one in rows)}))


if __name__ == "__main__":
    main()
