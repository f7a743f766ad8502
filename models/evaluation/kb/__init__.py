"""Measures search and answer judges on questions whose answers are known."""
