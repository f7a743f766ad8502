"""
Which gaps a question may belong to: one matrix a tenant, one product for each question.

Texts of one language lie nearer to each other than to any other, whatever they say. So the nearest
wordings in the question's own language and the nearest in the others are taken apart: the same
question in Arabic is not buried under English ones on the topic.
"""

from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt

from models.encoder import Vectors

#: Gaps that are taken from each side: the question's own language, and the others.
NEAREST = 6
#: Rows looked at for that, since one gap has several.
_ROWS = 8 * NEAREST
_FIRST_ROWS = 64


class Shortlist:
    """Wordings of one tenant's gaps by their vectors; for one thread at a time."""

    def __init__(self, dimension: int) -> None:
        self._vectors = np.zeros((_FIRST_ROWS, dimension), np.float32)
        #: (rows,) number of each row's language; -1 where the row is free.
        self._languages: npt.NDArray[np.int64] = np.full(_FIRST_ROWS, -1, np.int64)
        self._owners: list[str] = [""] * _FIRST_ROWS
        self._rows: dict[str, dict[str, int]] = {}
        self._free = list(reversed(range(_FIRST_ROWS)))
        self._numbers: dict[str, int] = {}

    def vector(self, gap_id: str, text: str) -> Vectors | None:
        """(D,) of a wording that is in; None where it is not."""
        row = self._rows.get(gap_id, {}).get(text)
        return None if row is None else self._vectors[row]

    def put(
        self, gap_id: str, wordings: Iterable[tuple[str, str]], new: Mapping[str, Vectors]
    ) -> None:
        """
        Set the wordings of a gap.

        Args:
            gap_id: the gap.
            wordings: text and language of each; all others of the gap go.
            new: (D,) unit vectors of those that are not in yet, by text.

        """
        before = self._rows.get(gap_id, {})
        after: dict[str, int] = {}
        for text, language in wordings:
            row = before.pop(text, None)
            if row is None:
                row = self._take(gap_id, language, new[text])
            after[text] = row
        for row in before.values():
            self._let_go(row)
        self._rows[gap_id] = after
        if not after:
            del self._rows[gap_id]

    def near(self, vector: Vectors, language: str) -> dict[str, float]:
        """
        Find the gaps that a question may belong to.

        Args:
            vector: (D,) the question's.
            language: the question's.

        Returns:
            The best cosine of each gap, nearest first.

        """
        cosines = self._vectors @ vector  # (rows,)
        own = self._languages == self._numbers.get(language, -2)
        used = self._languages >= 0
        found = self._best(cosines, own) | self._best(cosines, used & ~own)
        # What stands behind the fourth decimal is noise; ids make the order one.
        return dict(sorted(found.items(), key=lambda one: (-round(one[1], 4), one[0])))

    def _best(self, cosines: Vectors, among: npt.NDArray[np.bool_]) -> dict[str, float]:
        (rows,) = np.nonzero(among)
        if len(rows) > _ROWS:
            nearest = np.argpartition(-cosines[rows], _ROWS - 1)[:_ROWS]
            rows = rows[nearest]
        best: dict[str, float] = {}
        for row in rows[np.argsort(-cosines[rows], kind="stable")]:
            owner = self._owners[row]
            if owner not in best:
                if len(best) == NEAREST:
                    break
                best[owner] = float(cosines[row])
        return best

    def _take(self, owner: str, language: str, vector: Vectors) -> int:
        if not self._free:
            self._grow()
        row = self._free.pop()
        self._vectors[row] = vector
        self._languages[row] = self._numbers.setdefault(language, len(self._numbers))
        self._owners[row] = owner
        return row

    def _let_go(self, row: int) -> None:
        self._languages[row] = -1
        self._owners[row] = ""
        self._free.append(row)

    def _grow(self) -> None:
        count = len(self._owners)
        self._vectors = np.concatenate([self._vectors, np.zeros_like(self._vectors)])
        self._languages = np.concatenate([self._languages, np.full(count, -1, np.int64)])
        self._owners += [""] * count
        self._free = list(reversed(range(count, 2 * count)))
