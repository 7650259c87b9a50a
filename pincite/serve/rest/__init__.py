"""The interface for programs, under /api/v1."""

from pincite.serve.rest import ask_calls as ask
from pincite.serve.rest import completions, documents, health
from pincite.serve.rest import corpus_calls as corpora
from pincite.serve.rest import grid_calls as grids
from pincite.serve.rest import job_calls as jobs

ROUTERS = (
    health.router,
    corpora.router,
    ask.router,
    documents.router,
    jobs.router,
    grids.router,
    completions.router,
)
