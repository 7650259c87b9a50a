"""A LlamaIndex retriever over a corpus: `LlamaIndexRetriever(pincite.open("reports.corpus")).retrieve("net revenue")`."""

from __future__ import annotations

from typing import Any

from pincite.integrations.text_pieces import HEAVY, citation_of, pieces
from pincite.types import Where
from pincite.workbench.library import Library

try:
    from llama_index.core.retrievers import BaseRetriever
    from llama_index.core.schema import MetadataMode, NodeWithScore, QueryBundle, TextNode
except ImportError as error:
    raise ImportError(
        "the LlamaIndex retriever needs llama-index-core: pip install 'pincite[llamaindex]'"
    ) from error


class LlamaIndexRetriever(BaseRetriever):  # type: ignore[misc]
    """Finds the `k` best pages of a library among the documents that `where` lets through, each with its places as metadata."""

    def __init__(self, library: Library, k: int = 4, where: Where = (), **more: Any) -> None:
        super().__init__(**more)
        self.library, self.k, self.where = library, k, where

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        hidden = list(HEAVY)
        return [
            NodeWithScore(
                node=TextNode(
                    id_=piece.node, text=piece.text, metadata=piece.metadata, excluded_llm_metadata_keys=hidden,
                    excluded_embed_metadata_keys=hidden,
                ),
                score=piece.score,
            )
            for piece in pieces(self.library, query_bundle.query_str, self.k, self.where)
        ]  # fmt: skip


def cite(quote: str, found: NodeWithScore) -> dict[str, Any] | None:
    """Where a quote stands on a node that was retrieved; see `text_pieces.citation_of`."""
    return citation_of(quote, found.node.get_content(MetadataMode.NONE), found.node.metadata)
