"""One class per way of failing; every message says what was wrong, what was tried and what to do next."""

from __future__ import annotations


class PinciteError(Exception):
    """A failure that a user can act on: shown as its message, never as a traceback."""

    exit_code = 1
    retryable = False


class UsageError(PinciteError):
    """The call itself is off: an empty question, an unknown option or value."""

    exit_code = 2


class SourceError(PinciteError):
    """A file cannot be read; `status` is what `pincite status` lists for it."""

    status = "unreadable"


class LockedSource(SourceError):
    """A file needs a password that was not given, or the one given does not open it."""

    status = "locked"


class UnsupportedSource(SourceError):
    """A file of a format that no parser reads."""

    status = "unsupported"


class CorpusError(PinciteError):
    """A corpus is missing, damaged or of another version."""


class CorpusBusy(CorpusError):
    """Another process is writing this corpus."""

    retryable = True


class NetworkForbidden(PinciteError):
    """Something tried to open a socket under --offline."""
