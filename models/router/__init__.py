"""
The intent router: is what the caller said clearly one of the agent's common intents?

An intent has example phrases; its prototype is the mean of their vectors, at length 1. The router
picks an intent only where validation phrases show that such a pick is right often enough, and hands
the turn to the LLM everywhere else.

Two gates decide what is clear enough:

* `margin`, the published baseline: cosine of the best prototype minus that of the second. Its
  threshold is the smallest margin at which at least 20 validation phrases are accepted and 95 % of
  them are right. It sees only which of two intents is closer, so a phrase that is far from all of
  them, but farther from one, passes.
* `default`: a linear head picks the intent, and a logistic regression over eight pieces of evidence
  (`evidence.py`) says how likely that pick is right. Every score that the threshold is chosen on
  comes from a head and a regression that have not seen the phrase nor its near paraphrases
  (`folds.py`), out-of-scope phrases count with the share that production has, and their accepted
  share counts at its upper bound (`threshold.py`).

Beside the gates stand two guards (`heard.py`): a turn is routed only in a language that the intent
has examples in and the threshold was chosen on, and only to an intent one of whose phrases denies
something, or does not, as the turn does (`polarity.py`).

`compile_router` turns phrases into a frozen `Router`; `Router.route` decides about one vector in
well under 0.2 ms; `to_bytes` and `from_bytes` store it for one encoder.
"""

from models.router.compile import Compiled, Options, compile_router
from models.router.errors import RouterError, StoredRouterError
from models.router.phrases import Finding, Phrases
from models.router.route import Gate, Quality, Reason, Routed, Router
from models.router.store import from_bytes, to_bytes

__all__ = [
    "Compiled",
    "Finding",
    "Gate",
    "Options",
    "Phrases",
    "Quality",
    "Reason",
    "Routed",
    "Router",
    "RouterError",
    "StoredRouterError",
    "compile_router",
    "from_bytes",
    "to_bytes",
]
