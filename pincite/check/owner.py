"""Which company's documents may answer: a question about one company is not answered from another company's report."""

from __future__ import annotations

from dataclasses import replace

from pincite.corpus import Corpus, Entryless
from pincite.evidence.drafted_answer import nearest, own
from pincite.search.company_scope import companies
from pincite.search.document_routing import LEGAL, route
from pincite.search.named_documents import catalogue
from pincite.types import Answer, Check, Query


def owned(answer: Answer, corpus: Corpus) -> Answer:
    """The answer, or a refusal when it cites a document of another company than the one that the question names.

    A company is the `company` of the metadata, else what the cover suggests; by a cover, a document is another company's only
    where the two names share no word. A question may name it as its files do. One that names no company of the corpus, or
    several, may be answered from any document.
    """
    if answer.value is None:
        return answer
    name, ids = _named(answer.query, corpus)
    documents = {document.id: document for document in corpus.documents}
    theirs = [documents[identity] for identity in ids if identity in documents]
    for place in answer.citations:
        cited = documents.get(place.document)
        other = cited.meta.get("company", "") if cited else ""
        if (
            cited
            and other
            and theirs
            and all(_of_different_companies(cited, own) for own in theirs)
        ):
            how = f"{place.document} belongs to {other}, but the question is about {name}"
            check = Check(answer.text, "contradicted", place.label, how)
            return replace(
                answer,
                text="",
                value=None,
                citations=(),
                checks=(*answer.checks, check),
                reason=unsupported(check),
                possible=nearest((*own(answer), *answer.possible)),
            )
    return answer


def _named(query: Query, corpus: Corpus) -> tuple[str, tuple[str, ...]]:
    """The one company that a question names, by its own name or as files are called, and its documents; none of several."""
    if known := companies(query, corpus):
        return (known[0].name, known[0].documents) if len(known) == 1 else ("", ())
    routed = route(query.text, catalogue(corpus))
    names = {found.name for found in routed}
    name = names.pop() if len(names) == 1 else ""
    if not _words(name):  # of several, or of a time alone
        return "", ()
    documents = [corpus.documents[found.position] for found in routed]
    # a name of a company or a file, not of what a document is about ("Deferred" of "Deferred Tax Assets")
    called = [
        f"{each.meta.get('company', '')} {each.meta.get('file_words', '')}" for each in documents
    ]
    pairs = zip(documents, called, strict=True)
    theirs = [each.id for each, names in pairs if _words(name) <= _words(names)]
    return (name, tuple(theirs)) if theirs else ("", ())


def unsupported(check: Check) -> str:
    """Why a claim that failed its check is not shown."""
    return f"what was found is not supported by its source: {check.how}"


def _of_different_companies(first: Entryless, second: Entryless) -> bool:
    """Whether two documents are of different companies."""
    names = [document.meta.get("company", "") for document in (first, second)]
    if first.declared.get("company") and second.declared.get("company"):
        return names[0] != names[1]
    ours, theirs = map(_words, names)
    return bool(ours and theirs) and not ours & theirs


def _words(name: str) -> set[str]:
    """The words of a company's name without its legal form."""
    return set(LEGAL.sub(" ", name.casefold()).replace(".", " ").replace(",", " ").split())
