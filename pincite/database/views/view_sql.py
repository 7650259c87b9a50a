"""Expressions that clean views are made of, as each database writes them; only functions that the guard lets through."""

from __future__ import annotations

from dataclasses import dataclass


def literal(text: str) -> str:
    """A text as statements write it in every dialect."""
    return "'" + text.replace("'", "''") + "'"


@dataclass(frozen=True, slots=True)
class ViewSql:
    """How one dialect ("sqlite", "duckdb", "postgresql") writes what views need."""

    dialect: str

    def text(self, expression: str) -> str:
        """A value as text."""
        return f"CAST({expression} AS TEXT)"

    def trimmed(self, text: str, ends: str = "") -> str:
        """A text without these characters, else blanks, at its ends."""
        return self._trim("", text, ends) if ends else f"TRIM({text})"

    def from_left(self, text: str, ends: str) -> str:
        """A text without these characters at its beginning."""
        return self._trim("L", text, ends)

    def _trim(self, side: str, text: str, ends: str) -> str:
        if self.dialect != "postgresql":
            return f"{side}TRIM({text}, {literal(ends)})"
        return f"TRIM({'LEADING ' if side else ''}{literal(ends)} FROM {text})"

    def shaped(self, text: str, shape: str) -> str:
        """Whether a text has a shape: a 9 stands for a digit, an A for one or more characters, anything else for itself."""
        if self.dialect == "postgresql":
            parts = {c: f"\\{c}" for c in "%_|*+?{}()[]\\"} | {"9": "[0-9]", "A": "_%"}
            return f"{text} SIMILAR TO {literal(''.join(parts.get(c, c) for c in shape))}"
        parts = {"9": "[0-9]", "A": "?*", "*": "[*]", "?": "[?]", "[": "[[]"}
        return f"{text} GLOB {literal(''.join(parts.get(c, c) for c in shape))}"

    def is_number(self, text: str) -> str:
        """Whether a text is digits with at most one point among them."""
        if self.dialect == "postgresql":
            return f"{text} SIMILAR TO '([0-9]+([.][0-9]*)?|[.][0-9]+)'"
        if self.dialect == "duckdb":
            return f"REGEXP_FULL_MATCH({text}, '[0-9]+([.][0-9]*)?|[.][0-9]+')"
        return (
            f"({text} GLOB '*[0-9]*' AND NOT {text} GLOB '*[^0-9.]*' AND NOT {text} LIKE '%.%.%')"
        )

    def number(self, text: str, whole: bool) -> str:
        """The number of such a text."""
        if self.dialect == "sqlite":
            return f"CAST({text} AS {'INTEGER' if whole else 'REAL'})"
        if self.dialect == "postgresql":
            return f"CAST({text} AS {'BIGINT' if whole else 'DECIMAL'})"
        return f"TRY_CAST({text} AS {'BIGINT' if whole else 'DOUBLE'})"

    def day(self, year: str, month: str, day: str) -> str:
        """The date of three texts of four, two and two digits; ISO text in SQLite."""
        if self.dialect == "sqlite":
            return f"{year} || '-' || {month} || '-' || {day}"
        if self.dialect == "duckdb":
            return f"TRY_CAST({year} || '-' || {month} || '-' || {day} AS DATE)"
        first = f"CAST({year} || '-' || {month} || '-01' AS DATE)"
        last = f"EXTRACT(DAY FROM {first} + INTERVAL '1 month' - INTERVAL '1 day')"
        # a cast of what is no date would end the statement
        return (
            f"CASE WHEN {year} > '0000' AND {month} BETWEEN '01' AND '12' THEN CASE WHEN {day} > '00' "
            f"AND CAST({day} AS INT) <= {last} THEN {first} + (CAST({day} AS INT) - 1) END END"
        )

    def moment(self, year: str, month: str, day: str, time: str) -> str:
        """The same with a time of day behind it, as a text that sorts."""
        return f"{year} || '-' || {month} || '-' || {day} || ' ' || {time}"

    def serial_day(self, number: str) -> str:
        """The date of a spreadsheet's number of days."""
        if self.dialect == "sqlite":
            return f"DATE({number} + 2415018.5)"
        return f"CAST('1899-12-30' AS DATE) + CAST({number} AS INT)"
