"""Documents into a corpus, edited there and out of it: the same for a page and for a program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pincite.serve import uploads
from pincite.serve.bench import Visit
from pincite.serve.processes.jobs import Job

if TYPE_CHECKING:
    from starlette.datastructures import UploadFile


async def add(visit: Visit, files: Sequence[UploadFile], key: str = "") -> Job:
    """Keep uploaded files and begin to index them. Raises what `uploads.save` and `Jobs.start` raise; then nothing is kept."""
    sent = await uploads.save(visit.served.folder, files)
    names = ", ".join(upload.path.name for upload in sent[:3]) + (
        f" and {len(sent) - 3} more" if len(sent) > 3 else ""
    )
    visit.request.state.on = names
    order = {
        "paths": [str(upload.path.resolve()) for upload in sent],
        "sha256": [upload.sha256 for upload in sent],
    }
    try:
        before = visit.bench.jobs.of(visit.served.name)
        job = visit.start("index", f"Index {names}", order, key)
        if job not in before:  # else the same was sent before, and may be at work
            for upload in sent:  # before anything else runs, the job among it
                upload.half.replace(upload.path)
    finally:
        for upload in sent:
            upload.half.unlink(missing_ok=True)
    return job


def edit(visit: Visit, document_key: str, changes: Mapping[str, str], key: str = "") -> Job:
    """Begin to edit what is known of a document. Problem 404 when it is not there; UsageError for a wrong value."""
    from pincite.indexing.editing import checked

    document = visit.document(document_key)
    visit.request.state.on = document.id
    order = {"document": document.id, "changes": checked(changes)}
    return visit.start("edit", f"Edit {document.id}", order, key)


def remove(visit: Visit, document_key: str, key: str = "") -> Job:
    """Begin to take a document out of the corpus. Problem 404 when it is not there."""
    document = visit.document(document_key)
    visit.request.state.on = document.id
    order = {"documents": [document.id]}
    return visit.start("remove", f"Remove {document.id}", order, key)
