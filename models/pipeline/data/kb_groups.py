"""Knowledge bases as groups of facts, for the contrastive warm-up."""

import random
from collections import defaultdict

from models.kb.passages import passages
from models.pipeline.data.kb import ANSWER, KnowledgeBase, Target

#: Questions of a fact in one group, in any languages.
_ASKED = 3


def facts(base: KnowledgeBase, rng: random.Random) -> list[list[str]]:
    """
    Return the facts of a knowledge base; what nothing answers stands alone, near to all of them.

    Questions in two parts are left out: they belong to both.
    """
    asked: dict[tuple[int, ...], list[str]] = defaultdict(list)
    for question in base.questions:
        if question.target in (Target.WHOLE, Target.NOTHING):
            asked[question.levels].append(question.text)
    found: dict[frozenset[str], list[str]] = defaultdict(list)
    alone = []
    for levels, texts in asked.items():
        told = [e for e, level in zip(base.entries, levels, strict=True) if level == ANSWER]
        if not told:
            alone.append([rng.choice(texts)])
            continue
        fact = found[frozenset(entry.id for entry in told)]
        fact += rng.sample(texts, min(_ASKED, len(texts)))
        entry = rng.choice(told)
        fact.append(rng.choice(passages(entry.title, entry.content)))
    return [*found.values(), *alone]
