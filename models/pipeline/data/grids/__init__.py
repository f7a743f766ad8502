"""
Concept grids: generators that vary exactly one thing over many frames and languages.

`frames.tsv` says the same thing in several surfaces with one slot, `values.tsv` and the modules
here fill the slot; `slots.rows` pairs them.
"""
