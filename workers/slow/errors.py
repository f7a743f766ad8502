"""
Errors of the slow path, under `workers.errors`.

* EdgeError
  - OwnershipLost    this process stood still for so long that others may have its partitions
"""

from workers.errors import EdgeError


class OwnershipLost(EdgeError):
    """This process stood still for so long that others may have its partitions."""
