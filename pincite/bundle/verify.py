"""Check a bundle without its corpus: every byte against the manifest, and every value read again at what it cites."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincite import __version__
from pincite.answer.check import verified
from pincite.answer.place import Failed, places
from pincite.answers import answer_id
from pincite.bundle.archive import Broken, unpack
from pincite.bundle.make import cited
from pincite.bundle.page import Shown, page_of
from pincite.encoding import answer_from, dumps, node_from
from pincite.errors import UsageError
from pincite.record import record
from pincite.types import Answer, Draft, Node


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: in which member, and what, in words."""

    where: str
    what: str


@dataclass(frozen=True, slots=True)
class Verified:
    """What checking a bundle came to: `ok` when nothing is wrong.

    `read` answers were read again at their cited places; of `quoted` among them only the quotes, since what each claims is not
    kept of answers put together from several. `unread` are N/A or cite rows of a database, which would have to be asked.
    """

    digest: str
    answers: int
    read: int
    quoted: int
    unread: int
    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings


def verify(path: Path, expect: str = "") -> Verified:
    """Check a bundle; `expect` is the digest that it should have, as it was told on another way.

    Raises UsageError when there is no such file.
    """
    try:
        body = path.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror or error}") from error
    try:
        members, facts, wrong = unpack(body)
    except Broken as broken:
        return Verified("", 0, 0, 0, 0, (Finding(broken.where, broken.what),))
    findings = [Finding(one.where, one.what) for one in wrong]
    digest = str(facts["digest"])
    if expect and expect.strip().lower() != digest:
        findings.append(Finding("bundle", f"its digest is {digest}, not the one expected"))
    if wrong:
        return Verified(digest, 0, 0, 0, 0, tuple(findings))
    try:
        read, quoted, unread, more = _again(members, facts)
    except Exception as error:  # what is no bundle can be anything
        more, read, quoted, unread = [Finding("bundle", f"its members do not fit each other: {error!r}")], 0, 0, 0
    return Verified(digest, len(facts["answers"]), read, quoted, unread, (*findings, *more))


def _again(members: Mapping[str, bytes], facts: Mapping[str, Any]) -> tuple[int, int, int, list[Finding]]:
    nodes = {one: node_from(node) for one, node in json.loads(members["nodes.json"]).items()}
    findings: list[Finding] = []
    read = quoted = unread = 0
    shown = []
    same = facts["made_by"] == f"pincite {__version__}"  # another version may word things otherwise
    for identity in facts["answers"]:
        name = f"answers/{identity}.json"
        held = json.loads(members[name])
        answer = answer_from(held["answer"])
        if answer_id(answer) != identity or held["id"] != identity:
            findings.append(Finding(name, f"it is not the answer {identity}"))
        if dumps(held["record"]) != dumps(_sorted(record(answer, identity))):
            findings.append(Finding(name, "its record is not that of its answer"))
        if any(one.anchor.source and one.anchor.source not in facts["sources"] for one in cited(answer)):
            findings.append(Finding(name, "it cites a source that the manifest does not list"))
        if answer.value is None or any(one.anchor.sql for one in answer.citations):
            unread += 1
        else:
            read += 1
            quoted += not answer.claims
            findings += [Finding(name, what) for what in reread(answer, nodes, same)]
        for one in answer.others:
            if one.value is not None and not any(place.anchor.sql for place in one.citations):
                findings += [Finding(name, f"beside it, {what}") for what in reread(one, nodes, same)]
        pages = {
            one.label: page for one in answer.citations if (page := f"pages/{identity}.{one.label}.png") in members
        }
        shown.append(Shown(identity, answer, pages, tuple(held["reviews"])))
    if same and page_of(shown, facts).encode() != members["index.html"]:
        findings.append(Finding("index.html", "it does not show what the answers say"))
    return read, quoted, unread, findings


def _sorted(content: Any) -> Any:
    return json.loads(json.dumps(content, sort_keys=True))


def reread(answer: Answer, nodes: Mapping[str, Node], same: bool = True) -> list[str]:
    """What is wrong with an answer read again at the nodes that it cites: by the same check as when it was given.

    With `same` its words must be the same, too.
    """
    if not answer.claims:
        try:
            for one in answer.citations:
                places(one, nodes.get(one.node))
        except Failed as failed:
            return [failed.how]
        return []
    draft = Draft(
        answer.query, answer.text, answer.value, answer.claims, answer.citations, answer.read, answer.confidence,
        alternatives=answer.alternatives, reading=answer.reading,
    )  # fmt: skip
    again = verified(draft, nodes)
    if again.value is None:
        return [again.reason]
    pairs = zip(again.checks, answer.checks, strict=False)
    alike = len(again.checks) == len(answer.checks) and all(
        (a.claim, a.verdict) == (b.claim, b.verdict) and (a.how == b.how or not same) for a, b in pairs
    )
    return [] if alike else ["its checks now say something else"]
