"""Follow-ups that narrow a question to a database: what is said of the rows found before is asked with the question before it."""

from __future__ import annotations

from pincite.text.lexicon import pattern

_FORMS = ("those", "bare comparison", "ones", "how many")


def narrows(said: str) -> bool:
    """Whether a message goes on about the rows of the answer before: "and above 400 MPa", "only those of ISO"."""
    lead = pattern("rows", "lead", "follow-ups").match(said)
    rest = said[lead.end() :] if lead else said
    opens = lead is not None and not pattern("rows", "question", "follow-ups").match(rest)
    return opens or any(pattern("rows", form, "follow-ups").search(said) for form in _FORMS)
