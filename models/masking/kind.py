"""The kinds of personal data, and where one stands."""

from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """What a masked span was; a tag is the kind in brackets: "[PHONE]"."""

    PHONE = "PHONE"
    NATIONAL_ID = "NATIONAL_ID"
    CARD = "CARD"
    IBAN = "IBAN"
    ACCOUNT = "ACCOUNT"
    OTP = "OTP"
    PASSPORT = "PASSPORT"
    PLATE = "PLATE"
    BIRTH_DATE = "BIRTH_DATE"
    EMAIL = "EMAIL"
    ADDRESS = "ADDRESS"
    NAME = "NAME"


class Span(NamedTuple):
    """Characters [start, end) of a text, and their kind."""

    start: int
    end: int
    kind: Kind
