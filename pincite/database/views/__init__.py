"""Clean views of relations, made by code over a source that stays as it is: readable names, dates, numbers, totals apart."""
