"""The interface for programs, under /api/v1."""

from pincite.serve.rest import (
    ask_calls,
    completions,
    corpus_calls,
    documents,
    grid_calls,
    health,
    job_calls,
)

_PARTS = health, corpus_calls, ask_calls, documents, job_calls, grid_calls, completions
ROUTERS = [part.router for part in _PARTS]
