"""What a draft may claim that no evidence holds."""

from enum import StrEnum

from models.values import Value, ValueKind

#: Digits from which on what names something is a phone.
_PHONE = 5


class Claim(StrEnum):
    """What a draft states that no evidence holds."""

    NUMBER = "number"
    DATE = "date"
    TIME = "time"
    DURATION = "duration"
    PRICE = "price"
    PERCENTAGE = "percentage"
    QUANTITY = "quantity"
    PHONE = "phone"
    LINK = "link"
    EMAIL = "email"
    NAME = "name"
    #: A condition that the evidence does not set, or one that it sets and the draft leaves out.
    CONDITION = "condition"
    #: A denial that the evidence does not make, or one that it makes and the draft leaves out.
    NEGATION = "negation"
    #: The evidence holds the value, of something else.
    EXCHANGED = "exchanged"
    #: Most of a clause's words are nowhere in the evidence.
    UNKNOWN = "unknown"
    #: The draft is empty, or there is too much to read.
    SIZE = "size"


_KINDS = {
    ValueKind.TIME: Claim.TIME,
    ValueKind.PART_OF_DAY: Claim.TIME,
    ValueKind.WEEKDAY: Claim.DATE,
    ValueKind.RELATIVE_DAY: Claim.DATE,
    ValueKind.PERIOD: Claim.DATE,
    ValueKind.DATE: Claim.DATE,
    ValueKind.MONTH: Claim.DATE,
    ValueKind.YEAR: Claim.DATE,
    ValueKind.DURATION: Claim.DURATION,
    ValueKind.MONEY: Claim.PRICE,
    ValueKind.PERCENT: Claim.PERCENTAGE,
    ValueKind.MEASURE: Claim.QUANTITY,
}


def claim_of(value: Value) -> Claim:
    """Give the claim that a value makes."""
    if value.kind is ValueKind.IDENTIFIER:
        digits = max(sum(map(str.isdecimal, str(one))) for one in value.canonical)
        return Claim.PHONE if digits >= _PHONE else Claim.NUMBER
    return _KINDS.get(value.kind, Claim.NUMBER)
