"""The training rows of the classifier of unanswered questions."""

import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from models.gaps.reasons.reason import REASONS, Reason
from models.masking import mask
from models.pipeline.data.tables import HERE, read_table
from models.text import clean

#: Folder of the training tables, one a language.
TABLES = HERE / "unanswered"
FOLDS = 5

Places = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Rows:
    """The training rows."""

    texts: list[str]
    languages: list[str]
    #: (N,) place in `REASONS`.
    labels: Places
    #: (N,) fold of each.
    folds: Places


def read_rows(folder: Path = TABLES, limit: int | None = None) -> Rows:
    """
    Read the training tables, masked and cleaned.

    Args:
        folder: of the tables, `<language>.tsv`.
        limit: rows of each table and class at most.

    """
    texts: list[str] = []
    languages: list[str] = []
    labels: list[int] = []
    folds: list[int] = []
    for path in sorted(folder.glob("*.tsv")):
        counts = dict.fromkeys(REASONS, 0)
        for row in read_table(path):
            reason = Reason(row["class"])
            counts[reason] += 1
            if limit is not None and counts[reason] > limit:
                continue
            text = clean(mask(row["text"]).text).text
            texts.append(text)
            languages.append(path.stem)
            labels.append(REASONS.index(reason))
            # Twins of one name differ in a word or two, in every language.
            folds.append(zlib.crc32((row["pair"] or text.casefold()).encode()) % FOLDS)
    return Rows(texts, languages, np.array(labels), np.array(folds))
