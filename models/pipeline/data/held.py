"""
Held-out scenes as whole turns, with the predictions that a language model would have made.

The natural mix that thresholds are chosen on: of each scene, each surface is said once, and
predicted are another surface of its meaning, in two turns of three, and one of each other meaning.
"""

import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import orjson

from models.pipeline.data.scenes import Scene, scenes
from models.pipeline.data.split import Side

#: Predictions of other meanings, at most; share of turns that have a match.
_OTHERS, _MATCHED = 6, 0.65


def held_turns(side: Side, found: Iterable[Scene] | None = None) -> Iterator[dict[str, Any]]:
    """Yield the turns of the scenes whose key is held out, as `turngate eval turns` reads them."""
    for scene in scenes() if found is None else found:
        if side(scene.key) == "validation":
            yield from turns(scene)


def turns(scene: Scene) -> Iterator[dict[str, Any]]:
    """Yield a turn for each surface of a scene; a scene always gives the same turns."""
    rng = random.Random(scene.key)  # noqa: S311
    for number, (meaning, texts) in enumerate(scene.meanings.items(), 1):
        for place, text in enumerate(texts, 1):
            partners = [one for one in texts if one != text]
            right = [rng.choice(partners)] if partners and rng.random() < _MATCHED else []
            others = [surfaces for name, surfaces in scene.meanings.items() if name != meaning]
            wrong = [rng.choice(one) for one in rng.sample(others, min(_OTHERS, len(others)))]
            predictions = [
                {"text": one, "label": int(one in right), "class": scene.kind}
                for one in (*right, *wrong)
            ]
            rng.shuffle(predictions)
            yield {
                "id": f"{scene.key}/{number}.{place}", "language": scene.language,
                "agent": scene.agent, "utterance": text, "predictions": predictions,
            }  # fmt: skip


def write_turns(path: Path, found: Iterable[dict[str, Any]]) -> int:
    """Write one JSON object a line and return their number."""
    lines = [orjson.dumps(turn) + b"\n" for turn in found]
    path.write_bytes(b"".join(lines))
    return len(lines)
