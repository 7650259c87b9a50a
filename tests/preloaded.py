"""What processes of the package have to load, loaded once for all that tests fork."""

import gc
import importlib
import pkgutil

import pincite.cli.main
import pincite.ingest
import pincite.workbench.library
from pincite.models.encoder import MiniLM

for module in pkgutil.walk_packages(pincite.ingest.__path__, "pincite.ingest."):
    importlib.import_module(module.name)
MiniLM(threads=1).encode(["ready"])
gc.collect()
gc.freeze()  # or each fork would copy what the collector marks
