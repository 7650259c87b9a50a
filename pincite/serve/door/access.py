"""Who may do what: tokens with a role and corpora, sessions of browsers; everyone where only this machine is served."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
import time
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from pincite.errors import UsageError
from pincite.storage.disk import write
from pincite.untrusted import is_name

Role = Literal["reader", "reviewer", "admin"]
ROLES: tuple[Role, ...] = get_args(Role)
"""Each may do what those before it may: ask and read; correct, fill grids and batches; add and remove documents."""
SESSION_S = 12 * 3600  # a browser is asked for its token again after this time
_SESSIONS = 10_000


@dataclass(frozen=True, slots=True)
class Person:
    """Who asks: a name for the audit log, a role, and the corpora open to them (None: all)."""

    name: str
    role: Role
    corpora: frozenset[str] | None = None

    def may(self, role: Role, corpus: str = "") -> bool:
        """Whether they may do what `role` may, with a corpus."""
        return ROLES.index(self.role) >= ROLES.index(role) and (
            not corpus or self.corpora is None or corpus in self.corpora
        )

    @property
    def may_make(self) -> bool:
        """Whether they may make corpora and see who may do what: an admin of all of them."""
        return self.may("admin") and self.corpora is None


LOCAL = Person("local", "admin")


class Access:
    """The people by the SHA-256 of their token; none means that whoever reaches the server is `LOCAL`.

    With the `path` of the file that names them, `refresh` follows what becomes of it: a token that is taken out ends with its
    sessions, also when no other is left.
    """

    def __init__(
        self, people: Mapping[str, Person] | None = None, path: Path | None = None
    ) -> None:
        self.path = path
        # before it is read: what changes meanwhile is read again
        self._seen = _state(path) if path else ()
        self.people: Mapping[str, Person] = _people(path) if path else people or {}
        self.open = not path and not self.people
        """Whether no token is asked for."""
        self._sessions: dict[str, tuple[str, float]] = {}

    def by_token(self, token: str) -> str:
        """The hash of a token, "" when there is no such token."""
        digest = hashed(token)
        # all of them, so that the time tells nothing
        found = [known for known in self.people if hmac.compare_digest(known, digest)]
        return found[0] if found else ""

    def begin(self, digest: str) -> str:
        """A session for a browser, that of the token with this hash: the value of its cookie."""
        now = time.monotonic()
        for key in [key for key, (_, until) in self._sessions.items() if until < now]:
            del self._sessions[key]
        while len(self._sessions) >= _SESSIONS:
            del self._sessions[next(iter(self._sessions))]
        key = secrets.token_urlsafe(32)
        self._sessions[hashed(key)] = digest, now + SESSION_S
        return key

    def by_session(self, key: str) -> str:
        """The hash of the token whose session this is, while both last; else ""."""
        digest, until = self._sessions.get(hashed(key), ("", 0.0))
        return digest if until > time.monotonic() and digest in self.people else ""

    def end(self, key: str) -> None:
        """End a session."""
        self._sessions.pop(hashed(key), None)

    def refresh(self) -> None:
        """Read the file again if it has changed. Raises UsageError, once for each change, when it cannot be used: then the
        people stay who they were.
        """
        if self.path is None or (now := _state(self.path)) == self._seen:
            return
        self._seen = now
        self.people = _people(self.path)


def _state(path: Path) -> tuple[int, ...]:
    """What tells one state of a file from another."""
    try:
        held = path.stat()
    except OSError:
        return ()
    return held.st_mtime_ns, held.st_size, held.st_ino


def hashed(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def read_tokens(path: Path) -> Access:
    """The people of a file of tokens; raises UsageError that names what is wrong with it.

    TOML: `[NAME]` with `sha256` of the token, `role`, and `corpora`, a list of names, when not all are open to them.
    """
    made = Access(path=path)
    if not made.people:
        raise UsageError(f"{path} holds no token: `pincite token NAME --tokens {path}` adds one")
    return made


def _people(path: Path) -> dict[str, Person]:
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(
            f"cannot read the tokens {path}: {error.strerror}; `pincite token NAME` makes one"
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is not valid TOML: {error}") from error
    for name in tables:
        check_name(name)
    return dict(_entry(path, name, entry) for name, entry in tables.items())


def check_name(name: str) -> None:
    """Raise UsageError for a name that cannot be a person's: it stands in the audit log and names a folder."""
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,40}", name):
        raise UsageError(
            f"a token's name is made of up to 40 letters, digits, - and _, not {name!r}"
        )


def _entry(path: Path, name: str, given: Any) -> tuple[str, Person]:
    """The hash of a token and whose it is."""
    entry = given if isinstance(given, dict) else {}
    digest, role, corpora = entry.get("sha256"), entry.get("role", "reader"), entry.get("corpora")
    if not isinstance(digest, str) or not re.fullmatch(r"[0-9a-f]{64}", digest):
        wrong = f"[{name}] needs sha256, the hash of a token; `pincite token {name}` makes one"
    elif role not in ROLES:
        wrong = f"role of [{name}] must be one of {', '.join(ROLES)}, not {role!r}"
    elif not isinstance(corpora, list | None) or not all(
        isinstance(item, str) for item in corpora or ()
    ):
        wrong = f"corpora of [{name}] must be a list of names"
    elif unknown := set(entry) - {"sha256", "role", "corpora"}:
        wrong = f"[{name}] has an unknown key {sorted(unknown)[0]!r}"
    else:
        return digest, Person(name, role, None if corpora is None else frozenset(corpora))
    raise UsageError(f"{path}: {wrong}")


def new_token(name: str, role: str, corpora: list[str], path: Path) -> str:
    """Make a token, add its hash to the file, and return it: it stands nowhere else."""
    check_name(name)
    if role not in ROLES:
        raise UsageError(f"--role must be one of {', '.join(ROLES)}, not {role!r}")
    # they are written into the file, and are perhaps those of a stranger's folder
    for entry in corpora:
        if not is_name(entry) or "/" in entry:
            raise UsageError(
                f"no corpus is called {entry[:80]!r}: --corpus takes the name of a folder without its path"
            )
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    if name in tomllib.loads(before):
        raise UsageError(
            f"{path} has a token {name!r} already: remove its table first, or choose another name"
        )
    token = secrets.token_urlsafe(32)
    rights = f"corpora = {json.dumps(corpora, ensure_ascii=False)}\n" if corpora else ""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o600)
    write(path, f'{before}[{name}]\nsha256 = "{hashed(token)}"\nrole = "{role}"\n{rights}\n')
    return token


def drop_token(name: str, path: Path) -> None:
    """Take the token of this name out of the file; its sessions end when the file is read again. UsageError when there is none
    there by itself.
    """
    check_name(name)
    before = path.read_text(encoding="utf-8")
    kept, inside = [], False
    for line in before.splitlines(keepends=True):
        if line.startswith("["):
            inside = line.strip() == f"[{name}]"
        if not inside:
            kept.append(line)
    after = "".join(kept)
    if set(tomllib.loads(before)) - set(tomllib.loads(after)) != {name}:
        raise UsageError(f"no token {name!r} stands in the file by itself: edit the file by hand")
    write(path, after)
