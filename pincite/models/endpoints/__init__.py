"""Models behind an endpoint: chat, embeddings, reranking, each request within its limits and paid for once."""
