"""The interface for programs, under /api/v1."""

from pincite.serve.rest import ask, completions, corpora, documents, grids, health, jobs

ROUTERS = (health.router, corpora.router, ask.router, documents.router, jobs.router, grids.router, completions.router)
