"""Measures bundles on labelled files as the hot path would decide them; never imports torch."""
