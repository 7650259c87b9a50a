"""Statements: let through by a guard, run in bounds, computed again, traced to the rows that they rest on."""
