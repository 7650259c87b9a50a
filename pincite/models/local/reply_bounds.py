"""The JSON schema of a form with bounds on its texts and lists: a small model that repeats itself fills in the rest of the form
all the same, and its reply is not cut off.
"""

from __future__ import annotations

from typing import Any

from pydantic_ai.profiles.openai import OpenAIJsonSchemaTransformer

TEXT, ITEM, ITEMS = 800, 160, 16
"""Characters of a text and of one in a list, and items of a list, at most, where the form says nothing."""


class BoundedSchema(OpenAIJsonSchemaTransformer):
    """The schema as the engine is sent it: strict, and no text or list without an end."""

    def transform(self, schema: dict[str, Any]) -> dict[str, Any]:
        """One part of the schema, after those within it."""
        own = schema.pop("maxLength", TEXT)  # strict schemas elsewhere may not have it
        schema = super().transform(schema)
        match schema.get("type"):
            case "string" if "enum" not in schema and "const" not in schema:
                schema["maxLength"] = own
            case "array":
                schema.setdefault("maxItems", ITEMS)
                items = schema.get("items")
                if isinstance(items, dict) and items.get("maxLength") == TEXT:
                    items["maxLength"] = ITEM
        return schema
