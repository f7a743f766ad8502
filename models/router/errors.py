"""
What can go wrong with a router.

* RouterError(ModelError)
  + StoredRouterError    stored bytes are no router, or one of another encoder or format

Poor phrases are no error: they are findings of the compilation, and a router that cannot reach its
target abstains and says why.
"""

from models.errors import ModelError


class RouterError(ModelError):
    """A router cannot be made or used as asked."""


class StoredRouterError(RouterError):
    """Stored bytes are no router, or one of another encoder or format: compile it again."""
