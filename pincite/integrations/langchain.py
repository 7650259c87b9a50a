"""A LangChain retriever over a corpus: `LangChainRetriever(library=pincite.open("reports.corpus")).invoke("net revenue")`."""

from __future__ import annotations

from typing import Any

from pincite.integrations.text_pieces import citation_of, pieces
from pincite.types import Where
from pincite.workbench.library import Library

try:
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
except ImportError as error:
    raise ImportError(
        "the LangChain retriever needs langchain-core: pip install 'pincite[langchain]'"
    ) from error


class LangChainRetriever(BaseRetriever):  # type: ignore[misc]
    """Finds the `k` best pages of a library among the documents that `where` lets through, each with its places as metadata."""

    library: Library
    k: int = 4
    where: Where = ()

    model_config = {"arbitrary_types_allowed": True}

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        found = pieces(self.library, query, self.k, self.where)
        return [
            Document(id=piece.node, page_content=piece.text, metadata=piece.metadata)
            for piece in found
        ]


def cite(quote: str, document: Document) -> dict[str, Any] | None:
    """Where a quote stands on a document that was retrieved; see `text_pieces.citation_of`."""
    return citation_of(quote, document.page_content, document.metadata)
