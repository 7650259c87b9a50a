"""Statements: allowed by a guard, run within limits, computed again, and traced to the rows that they rest on."""
