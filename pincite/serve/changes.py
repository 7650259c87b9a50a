"""Documents into a corpus and out of it: the same for a page and for a program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pincite.serve import uploads
from pincite.serve.bench import Visit
from pincite.serve.jobs import Job
from pincite.serve.problems import missing

if TYPE_CHECKING:
    from starlette.datastructures import UploadFile


async def add(visit: Visit, files: Sequence[UploadFile], key: str = "") -> Job:
    """Keep uploaded files and begin to index them. Raises what `uploads.save` raises."""
    kept = await uploads.save(visit.served.folder, files)
    names = ", ".join(path.name for path in kept[:3]) + (f" and {len(kept) - 3} more" if len(kept) > 3 else "")
    visit.request.state.on = names
    order = {"paths": [str(path.resolve()) for path in kept]}
    return visit.bench.jobs.start(visit.served, "index", f"Index {names}", visit.person.name, order, key)


def remove(visit: Visit, document_key: str, key: str = "") -> Job:
    """Begin to take a document out of the corpus. Problem 404 when it is not there."""
    document = visit.edition.by_key.get(document_key)
    if document is None:
        raise missing(f"document {document_key!r}")
    visit.request.state.on = document.id
    order = {"documents": [document.id]}
    return visit.bench.jobs.start(visit.served, "remove", f"Remove {document.id}", visit.person.name, order, key)
