"""What a run of indexing has to load, loaded once for all that are forked."""

import pincite.library  # noqa: F401
from pincite.models.encoder import MiniLM

MiniLM(threads=1).encode(["ready"])
