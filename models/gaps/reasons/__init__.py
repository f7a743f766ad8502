"""Why a question stayed unanswered: off topic, live data, unclear, or missing knowledge."""

from models.gaps.reasons.classifier import Classifier
from models.gaps.reasons.reason import REASONS, Classified, Reason

__all__ = ["REASONS", "Classified", "Classifier", "Reason"]
