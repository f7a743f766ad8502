"""Masking of personal data in what callers say: "my number is [PHONE]"."""

from models.masking.kind import Kind, Span
from models.masking.mask import Masked, mask

__all__ = ["Kind", "Masked", "Span", "mask"]
