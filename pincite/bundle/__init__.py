"""Answers with all that they rest on in one file, which can be checked again without the corpus."""

from pincite.bundle.make import Bundled, bundle
from pincite.bundle.verify import Finding, Verified, verify

__all__ = ["Bundled", "Finding", "Verified", "bundle", "verify"]
