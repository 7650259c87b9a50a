"""Check a bundle without its corpus: every byte against the manifest, and every statement in it against its evidence."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from pincite import __version__
from pincite.check.claims import check, verified
from pincite.errors import UsageError
from pincite.evidence.cited_place import Failed, places
from pincite.evidence.value_in_words import worded
from pincite.formats.encoding import answer_from, node_from, refuse_wide
from pincite.quantity import parse, rounded, same
from pincite.records.answer_record import record
from pincite.records.answer_store import answer_id, citation_id
from pincite.rows.row_answers import document_tables
from pincite.types import Answer, Check, Citation, Draft, Node, Quantity, Value
from pincite.workbench.bundle.bundle_archive import (
    Broken,
    Finding,
    Signature,
    Unpacked,
    check_signature,
    text,
    unpack,
)  # fmt: skip
from pincite.workbench.bundle.bundle_page import ShownAnswer, page_of
from pincite.workbench.bundle.bundled_sources import from_sources
from pincite.workbench.bundle.packing import cited, statements_text


@dataclass(frozen=True, slots=True)
class Verified:
    """What checking a bundle came to: `ok` when nothing is wrong.

    `read` answers were read again at their cited places; of `quoted` among them only the quotes, since what each claims is not
    kept of answers put together from several. `unread` are N/A or cite rows of a database, which would have to be asked.
    `sources` are the files in it that were read again, `unchecked` says in words what could not be.
    """

    digest: str
    answers: int = 0
    read: int = 0
    quoted: int = 0
    unread: int = 0
    findings: tuple[Finding, ...] = ()
    signature: Signature = "not signed"
    sources: int = 0
    unchecked: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings


def verify(path: Path, expect: str = "", key: bytes = b"") -> Verified:
    """Check a bundle; `expect` is the digest that it should have, as it came by another way, `key` what signed it. Raises
    UsageError when there is no such file.
    """
    try:
        body = path.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror or error}") from error
    try:
        held = unpack(body)
    except Broken as broken:
        return Verified("", findings=(broken.finding,))
    del body
    findings, digest = list(held.wrong), str(held.facts["digest"])
    if expect and expect.strip().lower() != digest:
        findings.append(Finding("bundle", f"its digest is {digest}, not the expected one"))
    signature = check_signature(held.manifest, held.signature, key)
    if key and signature in _UNSIGNED:
        findings.append(Finding("bundle", f"{_UNSIGNED[signature]}, but a key is configured"))
    if held.wrong:
        return Verified(digest, findings=tuple(findings), signature=signature)
    again = _Again(held, findings)
    try:
        again.run()
    except Exception as error:  # what is no bundle can be anything
        again.found("bundle", f"its members are inconsistent: {error!r:.300}")
    return Verified(
        digest, again.answers, again.read, again.quoted, again.unread, tuple(findings), signature, again.sources,
        tuple(again.unchecked),
    )  # fmt: skip


_UNSIGNED = {"not signed": "it is not signed", "wrong": "its signature does not match the key"}


class _Again:
    """One reading of all of a bundle whose bytes are those of its manifest."""

    def __init__(self, held: Unpacked, findings: list[Finding]) -> None:
        self.members, self.facts, self.findings = held.members, held.facts, findings
        self.unchecked: list[str] = []
        self.answers = self.read = self.quoted = self.unread = self.sources = 0

    def found(self, where: str, what: str) -> None:
        """Note one more thing that is wrong."""
        self.findings.append(Finding(where, what))

    def run(self) -> None:
        """Read it."""
        nodes = self._nodes()
        shown = [self._shown(identity, nodes) for identity in self.facts["answers"]]
        self._members([answer.answer for answer in shown])
        if page_of(shown, self.facts).encode() != self.members["index.html"]:
            made_by, what = self.facts["made_by"], "it does not match what the answers say"
            if made_by != f"pincite {__version__}":
                what += f"; it was made by {made_by}, check it with that too"
            self.found("index.html", what)
        for told in from_sources(self.members, self.facts, nodes, shown):
            if told.wrong:
                self.findings.append(told)
            elif told.what:
                self.unchecked.append(f"{told.where}: {told.what}")
            else:
                self.sources += 1

    def _nodes(self) -> dict[str, Node]:
        nodes = {}
        for identity, stored in json.loads(self.members["nodes.json"]).items():
            nodes[identity] = node = node_from(stored)
            if node.id != identity:
                self.found("nodes.json", f"the node {identity} is called {node.id}")
            if node.table is not None:
                refuse_wide(node.table)
        return nodes

    def _shown(self, identity: str, nodes: Mapping[str, Node]) -> ShownAnswer:
        name = f"answers/{identity}.json"
        held = json.loads(self.members[name])
        answer = answer_from(held["answer"])
        self.answers += 1
        if answer_id(answer) != identity or held["id"] != identity:
            self.found(name, f"it is not the answer {identity}")
        if text(held["record"]) != text(record(answer, identity)):
            self.found(name, "its record is not that of its answer")
        if any(review["answer_id"] != identity for review in held["reviews"]):
            self.found(name, "a review in it is of another answer")
        sources = {citation.anchor.source for citation in cited(answer)} - {""}
        if not sources <= self.facts["sources"].keys():
            self.found(name, "it cites a source that the manifest does not list")
        statements = f"statements/{identity}.sql"
        if self.members.get(statements, b"") != statements_text(answer):
            self.found(statements, "it contains other statements than its answer")
        self._trace(identity, answer)
        self._values(name, answer, nodes)
        pages = {
            place.label: f"pages/{citation_id(identity, place)}.png" for place in answer.citations
        }
        pages = {label: page for label, page in pages.items() if page in self.members}
        return ShownAnswer(identity, answer, pages, tuple(held["reviews"]))

    def _values(self, name: str, answer: Answer, nodes: Mapping[str, Node]) -> None:
        if _is_unread(answer):
            self.unread += 1
            if answer.value is None and answer.text:
                self.found(name, f"it has no value and says {answer.text[:80]!r}")
            self._quotes(name, answer, nodes)
        else:
            self.read += 1
            self.quoted += not answer.claims
            for what in reread(answer, nodes):
                self.found(name, what)
        for other in answer.others:
            if other.value is None and other.text:
                self.found(name, f"beside it, an answer has no value and says {other.text[:80]!r}")
            elif _is_unread(other):
                self._quotes(name, other, nodes)
            else:
                for what in reread(other, nodes):
                    self.found(name, f"beside it, {what}")

    def _quotes(self, name: str, answer: Answer, nodes: Mapping[str, Node]) -> None:
        """Of an answer that is not read again, what it quotes of documents must stand there all the same."""
        quoted = [place for place in answer.citations if not _of_database(place)]
        listed = [place for place in quoted if place.anchor.source in self.facts["sources"]]
        for what in _misquoted(listed, nodes):
            self.found(name, what)

    def _trace(self, identity: str, answer: Answer) -> None:
        name = f"trace/{identity}.json"
        told = json.loads(self.members[name])
        if told["answer"] != identity or told["read"] != list(answer.read):
            self.found(name, "it is of another answer")
        if told.get("same") and told["answer_now"] != identity:
            self.found(name, "it says that the same was answered again, and names another answer")

    def _members(self, answers: Sequence[Answer]) -> None:
        """Every member must be one that the answers lead to, and every source one that they cite."""
        wanted = {"index.html", "nodes.json"}
        for identity, answer in zip(self.facts["answers"], answers, strict=True):
            wanted |= {f"{kind}/{identity}.json" for kind in ("answers", "trace")}
            wanted.add(f"statements/{identity}.sql")
            wanted |= {f"pages/{citation_id(identity, place)}.png" for place in answer.citations}
        for name in sorted(self.members.keys() - wanted):
            if name.partition("/")[0] != "sources" or name[8:72] not in self.facts["sources"]:
                self.found(name, "no answer leads to it")
        places = chain.from_iterable(map(cited, answers))
        sources = {(place.anchor.source, place.document) for place in places}
        for sha, told in self.facts["sources"].items():
            if (sha, told["document"]) not in sources:
                what = f"it lists {told['document']!r}, source {sha[:12]}, which no answer cites"
                self.found("manifest.json", what)


def _is_unread(answer: Answer) -> bool:
    """Whether an answer cannot be read again: N/A, or one from a database, which would have to be asked."""
    return answer.value is None or any(map(_of_database, answer.citations))


def _of_database(citation: Citation) -> bool:
    """Whether a citation is of a database; a table inside a document is in the bundle, and its statement runs again."""
    return bool(citation.anchor.sql) and not citation.anchor.cells


def reread(answer: Answer, nodes: Mapping[str, Node]) -> list[str]:
    """What is wrong with an answer read again at the nodes that it cites: by the same check as when it was given."""
    if answer.corrected is not None and not answer.corrected.unused:
        return _corrected(answer, nodes)
    wrong = list(_misquoted(answer.citations, nodes))
    if not answer.claims or wrong:
        return wrong[:1]
    draft = Draft(
        answer.query, answer.text, answer.value, answer.claims, answer.citations, answer.read, answer.confidence,
        possible=answer.possible, reading=answer.reading,
    )  # fmt: skip
    again = verified(draft, nodes, sources=document_tables())
    if again.value is None:
        return [again.reason]
    if not _says(answer.text, answer.value):
        return [f"its text is {answer.text[:80]!r}, and its value {worded(answer.value)[:80]!r}"]
    if not all(_says(claim.text, claim.value) for claim in answer.claims):
        return ["a claim differs from its value"]
    return [] if _found(again) == _found(answer) else ["its checks now give other results"]


def _says(text: str, value: Value) -> bool:
    """Whether a text is a value in words, or the number itself, rounded to the digits that the text has."""
    if text == worded(value):
        return True
    read = parse(text) if isinstance(value, Quantity) else None
    return read is not None and isinstance(value, Quantity) and rounded(read, value)


def _corrected(answer: Answer, nodes: Mapping[str, Node]) -> list[str]:
    """What is wrong with a reviewer's correction: that it answers is the reviewer's word, only its place can be read again. A
    place of which no text was read is a box on a page, and holds nothing to compare.
    """
    wrong = list(_misquoted([citation for citation in answer.citations if citation.quote], nodes))
    checks = [check(claim, answer.citations, nodes) for claim in answer.claims]
    wrong += [check.how for check in checks if check.verdict != "supported"]
    wrong += [
        f"its value is {worded(answer.value)[:80]!r}, and what was read is {claim.text[:80]!r}"
        for claim in answer.claims
        if not _alike(answer.value, claim.value)
    ]
    return wrong[:1] or (
        [] if len(checks) == len(answer.checks) else ["its checks are not of its claims"]
    )


def _alike(value: Value, read: Value) -> bool:
    if isinstance(value, Quantity) and isinstance(read, Quantity):
        return same(value, read)
    return value == read or value == worded(read)


def _found(answer: Answer) -> list[Check]:
    """The checks of an answer without the judge's chances, whose last digits another processor may compute otherwise."""
    return [replace(check, answers=None) for check in answer.checks]


def _misquoted(citations: Sequence[Citation], nodes: Mapping[str, Node]) -> Iterator[str]:
    """Why what is cited does not stand where it is cited."""
    for citation in citations:
        node = nodes.get(citation.node)
        if node is not None and node.anchor.source != citation.anchor.source:
            yield f"it cites {citation.document} for what stands in another source"
        try:
            places(citation, node)
        except Failed as failed:
            yield failed.how
