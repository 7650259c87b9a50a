"""Answers with all that they rest on in one file, which can be checked again without the corpus."""

from pincite.workbench.bundle.packing import bundle
from pincite.workbench.bundle.verification import Verified, verify

__all__ = ["Verified", "bundle", "verify"]
