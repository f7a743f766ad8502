"""Gaps of the knowledge base: what callers ask and no entry answers."""
