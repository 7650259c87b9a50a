"""Whose document an answer may come from: a question about one company is not answered from another company's report."""

from __future__ import annotations

from dataclasses import replace

from pincite.answer.say import nearest, own
from pincite.corpus import Corpus
from pincite.search.scope import companies
from pincite.types import Answer, Check


def owned(answer: Answer, corpus: Corpus) -> Answer:
    """The answer, or a refusal when it cites a document that its metadata says is another company's.

    Only a declared `company` counts, not one that a cover suggests; a question that names no company of the corpus, or
    several, may be answered from any document.
    """
    if answer.value is None:
        return answer
    owners = {one.id: one.meta.get("company", "") for one in corpus.documents}
    named = companies(answer.query, corpus)
    theirs = {owners[document] for one in named for document in one.documents if owners.get(document)}
    if len(named) != 1 or not theirs:
        return answer
    for place in answer.citations:
        other = owners.get(place.document, "")
        if other and other not in theirs:
            how = f"{place.document} is of {other}, and the question is about {named[0].name}"
            check = Check(answer.text, "contradicted", place.label, how)
            reason = f"what was found is not supported by its source: {how}"
            return replace(
                answer,
                text="",
                value=None,
                citations=(),
                checks=(*answer.checks, check),
                reason=reason,
                possible=nearest((*own(answer), *answer.possible)),
            )
    return answer
