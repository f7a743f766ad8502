"""Measures the intent router on labelled sets: what it answers, how often rightly, and how fast."""
