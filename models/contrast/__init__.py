"""What two texts say that cannot both be meant: the guard against pairs that one word parts."""

from models.contrast.read import Read, read
from models.contrast.rules import conflict

__all__ = ["Read", "conflict", "read"]
