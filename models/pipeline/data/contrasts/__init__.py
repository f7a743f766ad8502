"""
Hand-written contrasts: items with sides that differ in exactly one thing.

Each side is said in two ways that share few words, and the first ways of two sides share nearly
all of theirs. `sides.tsv` holds them; `sides.rows` pairs them.
"""
