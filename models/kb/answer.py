"""Question and entry to level probabilities: the cross-encoder that says which entry answers."""

from collections.abc import Sequence
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt

from models.bundle import MODEL
from models.errors import BundleError, InferenceCancelled, InferenceError
from models.graph import GraphModel, open_graph, run_batches
from models.kb.reading import entry_texts, question_text
from models.kb.shown import Shown
from models.kb.verdict import Probabilities, answers
from models.manifest import LEVELS
from models.runtime import Cancel

#: The threshold that an entry answers at: probability of at least a part of the answer.
ANSWER = "answer"
#: Parts that a long entry is read in, at most: more would take the time of the other candidates.
MAX_PARTS = 4
#: Characters of an entry that are looked at, per token that is read: a token has three or four, so
#: what lies behind would be cut anyway, and a long text costs no time.
_CHARS_PER_TOKEN = 6
#: Decimals of a probability, as remote judges give; what differs behind them is noise.
_DECIMALS = 4

Logits = npt.NDArray[np.float32]


class AnswerModel(GraphModel):
    """A loaded bundle of an answer judge; one call at a time, from any thread."""

    @classmethod
    def load(cls, folder: Path, threads: int = 1) -> Self:
        """
        Load a verified bundle.

        Args:
            folder: the bundle's folder.
            threads: threads of one run.

        Raises:
            BundleError: the bundle does not verify, or is no answer judge.
        """
        manifest, session, tokens = open_graph(
            folder, kind="answer", threshold=ANSWER, threads=threads
        )
        if [shape[1:] for shape in session.outputs.values()] != [[LEVELS]]:
            raise BundleError(MODEL, f"does not give {LEVELS} logits a pair")
        return cls(manifest, session, tokens)

    @property
    def threshold(self) -> float:
        """Probability of at least a part of the answer from which an entry answers."""
        return self.manifest.thresholds[ANSWER].value

    def judge(
        self, question: str, entries: Sequence[Shown], cancel: Cancel | None = None
    ) -> tuple[Probabilities | None, ...]:
        """
        Judge entries; what is said of one does not depend on what stands beside it.

        An entry that is longer than the bundle reads at once is read in parts, and its best part
        counts.

        Args:
            question: what the caller asked.
            entries: N entries; they run a length bucket at a time.
            cancel: lets another thread stop the run.

        Returns:
            Probabilities of the four levels, one tuple for each entry, in their order. None where
            an entry was not read to its end and what was read does not answer: the rest might.

        Raises:
            InferenceCancelled: `cancel` was set.
            InferenceError: the runtime failed, or gave something else than finite numbers.
        """
        asked = question_text(question)
        read = [self._read(asked, entry, cancel) for entry in entries]
        pairs = [(asked, text) for texts, _ in read for text in texts]
        found = probabilities(self._logits(pairs, cancel), self.manifest.temperature or 1.0)
        judged: list[Probabilities | None] = []
        start = 0
        for texts, whole in read:
            best = max(found[start : start + len(texts)], key=answers)
            judged.append(best if whole or answers(best) >= self.threshold else None)
            start += len(texts)
        return tuple(judged)

    def prove(self) -> None:
        """
        Judge the known answers on this machine.

        Raises:
            BundleError: a verdict is wrong, or a probability off by more than the manifest's
                tolerance.
            InferenceError: the runtime failed.
        """
        for index, known in enumerate(self.manifest.known_answers):
            part = f"manifest.json: known_answers[{index}]"
            entry = Shown(title=known.title, content=known.content, category=None, lang=None)
            (judged,) = self.judge(known.question, [entry])
            if judged is None:
                raise BundleError(part, "is longer than the bundle reads")
            if (answers(judged) >= self.threshold) != known.answers:
                raise BundleError(part, f"wrong verdict at probability {answers(judged):.3f}")
            if not abs(answers(judged) - known.probability) <= self.manifest.tolerance:
                raise BundleError(part, f"probability is {answers(judged):.3f}")

    def _read(
        self, asked: str, entry: Shown, cancel: Cancel | None
    ) -> tuple[tuple[str, ...], bool]:
        """The texts of an entry in as few parts as are read whole, and whether they are."""
        chars = MAX_PARTS * self.manifest.max_tokens * _CHARS_PER_TOKEN
        texts: tuple[str, ...] = ()
        for parts in range(1, MAX_PARTS + 1):
            if cancel is not None and cancel.is_set:
                raise InferenceCancelled("cancelled before the run")
            texts = entry_texts(entry, parts, chars=chars)
            if not self._tokens.tokenize([(asked, text) for text in texts]).truncated.any():
                return texts, len(entry.content) <= chars
        return texts, False

    def _logits(self, pairs: Sequence[tuple[str, str]], cancel: Cancel | None) -> Logits:
        """(N, 4) float32."""
        logits = np.empty((len(pairs), LEVELS), np.float32)
        for rows, output in run_batches(self._session, self._tokens.tokenize(pairs), cancel):
            logits[rows] = output
        if not np.isfinite(logits).all():
            raise InferenceError("a logit is not finite")
        return logits


def probabilities(logits: Logits, temperature: float) -> list[Probabilities]:
    """
    Turn logits into probabilities of the levels.

    Args:
        logits: (N, 4) float32, finite.
        temperature: what they are divided by, above 0.
    """
    scaled = logits.astype(np.float64) / temperature
    powers = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    shares = (powers / powers.sum(axis=1, keepdims=True)).round(_DECIMALS).tolist()
    return [(zero, one, two, three) for zero, one, two, three in shares]
