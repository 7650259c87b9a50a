"""The pages for people: rendered here, readable without a script."""

from pincite.serve.pages import ask, chat, door, evidence, files, grids, reader, review, sources, work

ROUTERS = (
    door.router,
    ask.router,
    chat.router,
    grids.router,
    review.router,
    evidence.router,
    sources.router,
    files.router,
    reader.router,
    work.router,
)
