"""Reading the hand-written tables beside these modules."""

import csv
import gzip
from collections.abc import Iterator
from pathlib import Path

#: Folder of the hand-written tables.
HERE = Path(__file__).parent


def read_table(path: Path) -> Iterator[dict[str, str]]:
    """
    Yield the rows of a tab-separated file with a header, plain or gzipped.

    Raises:
        ValueError: a row has more or fewer cells than the header.
    """
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8", newline="") as file:
        reader = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        header = next(reader)
        for number, cells in enumerate(reader, start=2):
            if len(cells) != len(header):
                message = f"{path.name}:{number}: {len(cells)} cells, expected {len(header)}"
                raise ValueError(message)
            yield dict(zip(header, cells, strict=True))
