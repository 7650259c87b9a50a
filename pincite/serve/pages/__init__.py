"""The pages for people: rendered here, readable without a script."""

from pincite.serve.pages import ask_page as ask
from pincite.serve.pages import chat_page as chat
from pincite.serve.pages import door, evidence, grid_editor
from pincite.serve.pages import files_page as files
from pincite.serve.pages import grids_page as grids
from pincite.serve.pages import people_page as people
from pincite.serve.pages import reader_page as reader
from pincite.serve.pages import review_page as review
from pincite.serve.pages import settings_page as settings
from pincite.serve.pages import sources_page as sources
from pincite.serve.pages import work_page as work

ROUTERS = (
    door.router,
    people.router,
    settings.router,
    ask.router,
    chat.router,
    grid_editor.router,
    grids.router,
    review.router,
    evidence.router,
    sources.router,
    files.router,
    reader.router,
    work.router,
)
