"""A reranker behind a /rerank endpoint, in the protocol that Jina, Cohere and vLLM share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from pincite.models.endpoints.posting import (
    PostedModel,
    by_index,
    in_parts,
    most_tokens,
    number,
    sendable,
)
from pincite.models.loop import wait_all
from pincite.storage.ledger import note


@dataclass(frozen=True, slots=True)
class RerankEndpoint(PostedModel):
    """The reranker `name` at `base_url`, whose /rerank is asked, as a PairScorer.

    The API key stands in the environment variable `key`. At most `at_once` texts go in one request; each is scored alone
    with the query, so that this changes no score. A text that the endpoint finds too long is scored in halves, of which the
    better one counts, and a note says so. Its scores are relevance in [0, 1]; one outside is clipped, and a note says how
    many were.
    """

    name: str
    base_url: str
    at_once: int = field(default=100, compare=False, repr=False)
    key: str = field(default="", compare=False, repr=False, kw_only=True)

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """One score in [0, 1] per text, in the order of the texts.

        Raises ModelUnreachable when the endpoint gives none, ReplyInvalid when what it gives are not such scores,
        BudgetSpent before money runs out, and ModelError for what no further try can mend.
        """
        sent = [sendable(text) for text in texts]
        asked = sendable(query)

        async def ask(some: Sequence[str]) -> Sequence[float]:
            given = {"query": asked, "documents": list(some), "top_n": len(some)}
            sent = len(asked.encode()) + sum(len(text.encode()) for text in some)
            # each text is read with the query, which may be counted as often
            most = most_tokens([asked + text for text in some])
            body, read = {"model": self.name, **given}, partial(_scores, count=len(some))
            return await self.post(f"{self.base_url}/rerank", body, sent, most, read)

        starts = range(0, len(sent), self.at_once)
        batches = wait_all(
            in_parts(sent[start : start + self.at_once], ask, max, self.name) for start in starts
        )
        scores = [score for batch in batches for score in batch]
        if outside := sum(not 0 <= score <= 1 for score in scores):
            note(
                f"{outside} of {len(scores)} scores of {self.name} were outside [0, 1] and are clipped: are they logits?"
            )
        return [min(max(score, 0.0), 1.0) for score in scores]


def _scores(said: Any, count: int) -> list[float]:
    """The scores of a reply in the order of the texts; ValueError when these are not one for each."""
    if not isinstance(said, dict):
        raise ValueError("not a JSON object")
    return [
        number(result.get("relevance_score")) for result in by_index(said.get("results"), count)
    ]
