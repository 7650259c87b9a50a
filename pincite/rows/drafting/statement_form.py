"""The form in which a model drafts a statement."""

from __future__ import annotations

from pydantic import Field

from pincite.models.forms import Form, Written


class StatementForm(Form):
    """A statement that finds what a question asks for."""

    statement: Written = Field(description="one SELECT, or NONE")
