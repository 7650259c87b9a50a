"""Answers with all that they rest on in one file, which can be checked again without the corpus."""

from pincite.workbench.bundle.packing import Bundled, bundle
from pincite.workbench.bundle.verification import Finding, Verified, verify

__all__ = ["Bundled", "Finding", "Verified", "bundle", "verify"]
