"""
The knowledge base: search, what a judge may see of an entry, and the rules of a verdict.

`Index` finds the entries that may answer a question; a judge says of each whether it does; `rule`
makes a verdict of that.
"""

from models.kb.index import LIMIT, Index, Tombstone
from models.kb.shown import Shown, shown
from models.kb.snapshot import Found, Prepared, prepare
from models.kb.verdict import JUDGED, THRESHOLD, Judged, Probabilities, Ruling, rule

__all__ = [
    "JUDGED",
    "LIMIT",
    "THRESHOLD",
    "Found",
    "Index",
    "Judged",
    "Prepared",
    "Probabilities",
    "Ruling",
    "Shown",
    "Tombstone",
    "prepare",
    "rule",
    "shown",
]
