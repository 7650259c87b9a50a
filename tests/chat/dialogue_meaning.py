"""What a question of the dialogues is about: the names, figures, years and operations in it, and in no order."""

import re
import tomllib
from pathlib import Path

WORDS = {
    "halden": r"\bhalden", "brisk": r"\bbrisk", "orvia": r"\borvia", "revenue": r"\brevenue|\bsales\b",
    "gross-margin": r"\bgross margin", "operating-profit": r"\boperating (?:profit|income)",
    "net-income": r"\bnet (?:income|profit)", "employees": r"\bemployees|\bheadcount|\bstaff\b",
    "scope-1": r"\bscope 1", "scope-2": r"\bscope 2", "water": r"\bwater", "capex": r"\bcapital expenditure|\bcapex",
    "auditor": r"\bauditor", "chief-executive": r"\bchief executive|\bceo\b", "grow": r"\bgr(?:ow|ew)",
    "change": r"\bchange", "higher": r"\bhigher|\blower", "why": r"\bwhy\b", "million": r"\bmillion", "2021": "2021",
    "2022": "2022", "2023": "2023",
}  # fmt: skip


def meaning(question):
    return {word for word, form in WORDS.items() if re.search(form, question, re.I)}


def dialogues(name):
    """(name, kind, [(said, meant as a set; empty for what asks nothing)]) of the dialogues of a file."""
    kinds = tomllib.loads((Path(__file__).parent / name).read_text("utf-8"))
    for kind, held in kinds.items():
        for title, turns in held.items():
            pairs = [turn.rpartition(" | ")[::2] for turn in turns]
            yield title, kind, [(said, set(meant.split()) - {"nothing"}) for said, meant in pairs]
