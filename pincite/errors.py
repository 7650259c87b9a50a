"""One class per way of failing; every message says what was wrong, what was tried and what to do next."""

from __future__ import annotations


class PinciteError(Exception):
    """A failure that a user can act on: shown as its message, never as a traceback."""

    exit_code = 1
    retryable = False


class UsageError(PinciteError):
    """The call itself is off: an empty question, an unknown option or value."""

    exit_code = 2


class ConsentMissing(UsageError):
    """A file of settings or of an experiment reaches outside its folder, and the user has not agreed to that."""

    def __init__(self, place: str, effects: str, digest: str, variable: str) -> None:
        self.place, self.digest = place, digest
        self.what = f"{place} has effects outside its folder: {effects}"
        super().__init__(
            f"{self.what}. It is used once you agree: run the command on a terminal and answer its question, or set "
            f"{variable}={digest}; to continue without it, move the file away"
        )


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


class ClusterError(PinciteError):
    """The workers of a cluster cannot be reached, are none, or fail at every task."""

    retryable = True


class EngineError(PinciteError):
    """A server that searches for a corpus cannot be reached, or refuses."""

    retryable = True


class CorpusUnreachable(CorpusError):
    """The database that holds a corpus cannot be reached."""

    retryable = True


class CorpusNotWritable(CorpusError):
    """The user of a database may read a corpus and not write it."""


class GivenUp(PinciteError):
    """What was asked took too long, or waited too long for its turn."""

    retryable = True


class Crashed(GivenUp):
    """What was asked ended the process that was at work on it."""

    retryable = False


class DiskError(PinciteError):
    """A file or a database cannot be read or written: no right, no disk, no such place."""


class DiskFull(DiskError):
    """The disk takes no more, or a quota does not let it."""

    retryable = True


class NetworkForbidden(PinciteError):
    """Something tried to open a socket under --offline."""


class ModelMissing(PinciteError):
    """A stage needs a language model for a role, and none is configured."""

    def __init__(self, role: str) -> None:
        name = "PINCITE_MODEL" if role == "large" else f"PINCITE_{role.upper()} or PINCITE_MODEL"
        super().__init__(
            f"this needs a language model ({role}) and none is set: set {name} to a model of the endpoint at OPENAI_BASE_URL, "
            f"or `{role}` under [models] in pincite.toml; without a model, leave out --model and use the default recipe"
        )


class NamedModelMissing(ModelMissing):
    """A recipe names an encoder or a cross-encoder that this machine does not have."""

    def __init__(self, kind: str, name: str, parameter: str) -> None:
        what, example = {"encoder": ("encoder", "hf"), "scorer": ("cross-encoder", "cross")}[kind]
        PinciteError.__init__(
            self,
            f"this needs the {what} {name}, which is not available: set its location under [models.{kind}s] in pincite.toml, as "
            "in "
            f'"{name}" = "{example}:{name}@COMMIT", choose another with --set {parameter}=NAME (built-in is what ships with the '
            "package), or add --stand-ins to let that take its place",
        )


class ModelError(PinciteError):
    """An endpoint did not give a usable reply, in spite of retries: what it would have said is not known."""

    retryable = True


class ModelUnreachable(ModelError):
    """An endpoint was busy, slow, failing or away each time that it was tried."""


class WindowTooSmall(ModelError):
    """A model reads too few tokens for what it must be told; nothing more can be left out."""

    retryable = False


class ReplyInvalid(ModelError):
    """A model's replies do not fit the form that was asked for, after re-asking."""

    retryable = False


class BudgetSpent(ModelError):
    """The next request could cost more than is left of the budget; it was not sent."""

    exit_code = 3
