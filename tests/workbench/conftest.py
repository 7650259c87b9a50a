"""A corpus of small reports that are indexed in a moment, and a grid over them."""

import shutil

import pytest

from pincite.settings import Settings
from pincite.workbench.grid import fill, spec_from
from pincite.workbench.library import Library, index

REPORT = """# {company} annual report {year}

{company} had {staff} employees at the end of {year}. The board is chaired by {chair}.

| | {year} | {before} |
|---|---|---|
| Revenue | {revenue},000 | 1,111,000 |
| Operating profit | {profit} | 222,000 |
"""
COMPANIES = {
    "Contoso Tugs": {"staff": "312", "chair": "Ada Holm", "revenue": "5,410", "profit": "731,000"},
    "Fabrikam Docks": {"staff": "1,204", "chair": "Bo Lind", "revenue": "18,022", "profit": "(96,000)"},
    "Litware Cranes": {"staff": "77", "chair": "Eva Brandt", "revenue": "905", "profit": "41,000"},
}  # fmt: skip
SPEC = {
    "title": "Harbour",
    "rows": ["Contoso Tugs", "Fabrikam Docks", "Litware Cranes", "Northwind Piers"],
    "columns": [
        {"name": "Revenue", "type": "number", "unit": "thousand EUR", "period": 2023},
        {"name": "Operating profit", "type": "number", "period": 2023},
        {
            "name": "Staff",
            "type": "number",
            "question": "How many employees did {entity} have at the end of 2023?",
        },
        {"name": "Chair", "type": "name", "question": "Who chairs the board of {entity}?"},
    ],
}


def write(folder, company, **changed):
    """Write the report of a company."""
    held = {
        "year": 2023, "before": 2022, **COMPANIES.get(company, COMPANIES["Contoso Tugs"]), **changed,
    }  # fmt: skip
    path = folder / f"{company.split()[0].lower()}.md"
    path.write_text(REPORT.format(company=company, **held))
    return path


def catalogue(folder, more=()):
    """Write the metadata that says whose each report is; `more` are (file, company) pairs."""
    held = [(f"{name.split()[0].lower()}.md", name) for name in COMPANIES]
    lines = [f"{file},{company},2023" for file, company in (*held, *more)]
    (folder / "metadata.csv").write_text("\n".join(("file,company,year", *lines)))
    return folder / "metadata.csv"


@pytest.fixture(scope="session")
def filled(tmp_path_factory):
    """The reports, and a corpus of them with the grid filled: made once, to be copied."""
    folder = tmp_path_factory.mktemp("harbour")
    (folder / "reports").mkdir()
    paths = [write(folder / "reports", company) for company in COMPANIES]
    index(paths, folder / "corpus", metadata=catalogue(folder))
    fill(spec_from(SPEC), Library(folder / "corpus", Settings(threshold=0.2)))
    return folder


@pytest.fixture
def reports(filled):
    """The folder of the reports, to be changed; afterwards it is as it was."""
    yield filled / "reports"
    for path in (filled / "reports").iterdir():
        path.unlink()
    for company in COMPANIES:
        write(filled / "reports", company)


@pytest.fixture
def library(filled, tmp_path):
    """A copy of the corpus with the filled grid, open."""
    return Library(
        shutil.copytree(filled / "corpus", tmp_path / "corpus"), Settings(threshold=0.2)
    )


@pytest.fixture
def indexed(reports, library, tmp_path):
    """Index the reports as they are now, with those of more companies, and open the corpus."""

    def again(more=()):
        paths = sorted(reports.glob("*.md"))
        index(paths, library.corpus.folder, metadata=catalogue(tmp_path, more))
        return Library(library.corpus.folder, Settings(threshold=0.2))

    return again


@pytest.fixture
def spec():
    """Four companies, one of which the corpus does not know, by four questions."""
    return spec_from(SPEC)
