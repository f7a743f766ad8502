"""What texts state as values (numbers, times, dates, money), and whether two texts contradict."""

from models.values.guard import conflict
from models.values.read import read
from models.values.value import Role, Value, ValueKind

__all__ = ["Role", "Value", "ValueKind", "conflict", "read"]
