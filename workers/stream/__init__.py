"""
Safe consumption on Faust: at least once, with the one commit rule that nothing unhandled is passed.

Faust's compiled stream iterator acknowledges events by itself and knows nothing of our rule. It is
chosen when `faust` is first imported, so the variable is set here, before any module of this
package can import it; `app.new_app` refuses if somebody imported `faust` earlier without it.
"""

import os

os.environ["NO_CYTHON"] = "1"
