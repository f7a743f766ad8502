"""
What can go wrong in `models`.

* ModelError
  + BundleError            a model folder is not what its manifest says, or does not prove itself
  + InferenceError         a model that was loaded failed to compute
    - InferenceCancelled   somebody stopped the run before it was done

User text never goes into a message: messages are logged.
"""


class ModelError(Exception):
    """Something in a model failed."""


class BundleError(ModelError):
    """
    A bundle was refused.

    Args:
        part: the file or manifest field that does not fit, e.g. `manifest.json: thresholds`.
        reason: what is wrong with it.
    """

    def __init__(self, part: str, reason: str) -> None:
        super().__init__(f"{part}: {reason}")
        #: File or manifest field that does not fit.
        self.part = part


class InferenceError(ModelError):
    """The runtime could not compute an answer."""


class InferenceCancelled(InferenceError):
    """The run was stopped from outside before it was done; there is no partial answer."""
