"""Are two questions the same question? Embeddings shortlist; this decides."""

from models.gaps.same.decider import Asked, JudgedSame, Sameness, SameQuestion, Why

__all__ = ["Asked", "JudgedSame", "SameQuestion", "Sameness", "Why"]
