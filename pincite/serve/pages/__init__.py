"""The pages for people: rendered here, readable without a script."""

from pincite.serve.pages import (
    ask_page,
    chat_page,
    door,
    evidence,
    files_page,
    grid_editor,
    grids_page,
    people_page,
    reader_page,
    review_page,
    settings_page,
    sources_page,
    work_page,
)

_PARTS = (
    door, people_page, settings_page, ask_page, chat_page, grid_editor, grids_page, review_page, evidence, sources_page,
    files_page, reader_page, work_page,
)  # fmt: skip
ROUTERS = [part.router for part in _PARTS]
