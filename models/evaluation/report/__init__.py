"""The report of an evaluation: one HTML page that needs nothing else."""

from models.evaluation.report.page import Report, render

__all__ = ["Report", "render"]
