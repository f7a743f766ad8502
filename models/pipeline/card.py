"""The numbers of a model card, from the manifest, so that the two cannot disagree."""

from __future__ import annotations

from typing import Any

#: Where a card's own text ends.
_START = "## Thresholds"


def with_numbers(card: str, content: dict[str, Any]) -> str:
    """A card's text with the tables of its bundle's manifest below it, new or renewed."""
    text = card.split(_START, maxsplit=1)[0].rstrip()
    return f"{text}\n\n{_START}\n\n{_numbers(content)}"


def _numbers(content: dict[str, Any]) -> str:
    method = content["calibration"]["method"]
    lines = [f"{method[:1].upper()}{method[1:]}.", ""]
    lines += ["| threshold | language | recall | false accepts | upper 95 % | pairs + / - |"]
    lines += ["|---|---|---|---|---|---|"]
    for name, threshold in content["thresholds"].items():
        parts = {"all": threshold, **threshold["languages"]}
        lines += [
            f"| {name} {threshold['value']:.4f} | {language} | {rates['recall']:.4f} "
            f"| {rates['false_accept_rate']:.4f} | {rates['false_accept_upper95']:.4f} "
            f"| {rates['n_positive']} / {rates['n_negative']} |"
            for language, rates in parts.items()
        ]
    made = content["quantisation"]
    lines += ["", "## Quantisation", ""]
    lines += [f"* {part}: {made[part]}" for part in ("weights", "activations", "embedding")]
    lines += ["", "| distance from the fp32 graph | |", "|---|---|"]
    lines += [f"| {measure} | {value:g} |" for measure, value in made["parity"].items()]
    if gate := content["gate"]:
        lines += ["", "## Gate", "", f"{gate['cases']} pairs, {gate['wrong_hits']} wrong hits."]
    return "\n".join(lines) + "\n"
