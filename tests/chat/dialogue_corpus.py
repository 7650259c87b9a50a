"""The corpus of the dialogues: three firms with figures of three years, and a paper that thanks, greets and helps."""

FIRMS = {"Halden Foods": 1, "Brisk Logistics": 2, "Orvia Materials": 3}
ROWS = {
    "Revenue (million EUR)": 410, "Gross margin (%)": 31, "Operating profit (million EUR)": 52,
    "Net income (million EUR)": 33, "Capital expenditure (million EUR)": 18, "Employees at the end of the year": 1200,
    "Scope 1 emissions (t CO2e)": 7300, "Scope 2 emissions (t CO2e)": 4100, "Water consumption (thousand m3)": 95,
}  # fmt: skip
PAPER = """# Routing at small firms

Hello and welcome to this study. We thank our colleagues, who were a great help, and thanks go to the editors too.
It is interesting how much better firms get every morning. Good luck is no plan.
"""


def write_corpus(folder):
    """Write the sources into a folder, with their metadata; returns the path of the metadata."""
    lines = ["file,company,year"]
    for firm, factor in FIRMS.items():
        name = firm.split()[0].lower()
        rows = "\n".join(
            f"| {row} | {value * factor} | {value * factor + 7} | {value * factor + 19} |"
            for row, value in ROWS.items()
        )
        (folder / f"{name}.md").write_text(
            f"# {firm} annual report 2023\n\nThe auditor of {firm} is Kestrel LLP. The chief executive of {firm} is Ada "
            f"Quill.\n\n## Key figures of {firm}\n\n| | 2021 | 2022 | 2023 |\n|---|---|---|---|\n{rows}\n"
        )
        lines.append(f"{name}.md,{firm},2023")
    (folder / "paper.md").write_text(PAPER)
    (folder / "metadata.csv").write_text("\n".join(lines) + "\n")
    return folder / "metadata.csv"
