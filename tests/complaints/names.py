"""Files of one name in several folders, or in an archive."""

import io
import zipfile

from tests.complaints.cases import Case, Shown, opened, statements
from tests.complaints.drawn import canvas, draw, look, pen
from tests.complaints.written import written

COMPANIES = ("Dalmore Instruments", "Tinwald Ceramics", "Brora Foods")


def make(seed: int) -> Case:
    """Three or four files in folders of company and year; odd seeds pack them. The folder next to the file may be named alike."""
    rng, language, _ = opened("topics", seed)
    kind = ("pdf", "html", "pdf")[seed // 2 % 3]
    below = rng.choice(("", "final/"))
    files: dict[str, bytes] = {}
    shown: list[Shown] = []
    for company, year in rng.sample(
        [(one, year) for one in COMPANIES for year in (2023, 2022)], rng.randint(3, 4)
    ):
        name = f"{company.split()[0].lower()}/{year}/{below}report.{kind}"
        (made,) = statements(rng, language, 1)
        if kind == "html":
            files[name] = written(kind, f"{company} plc", language, made.texts())
        else:
            page, held = canvas()
            seen = look(rng)
            page.drawString(60, 822, f"{company} plc")
            draw(page, seen, made, pen(page, seen))
            page.save()
            files[name] = held.getvalue()
        shown += made.shown(name)
    if seed % 2:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            for name, data in files.items():
                archive.writestr(name, data)
        files = {"all.zip": packed.getvalue()}
    return Case(files, shown, [])
