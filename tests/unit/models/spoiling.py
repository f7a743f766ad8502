"""Suites that are spoiled on purpose: a copy of their files, and rows that are changed in place."""

import json


def copied(source, target, names):
    """Copy the JSONL files of these names into another folder and return it."""
    for name in names:
        (target / f"{name}.jsonl").write_bytes((source / f"{name}.jsonl").read_bytes())
    return target


def rewrite(folder, name, change):
    """Pass the rows of one file through a function that changes the list in place."""
    path = folder / f"{name}.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    change(rows)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
