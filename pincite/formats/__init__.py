"""Forms of values: as JSON, as the line that makes a value again, numbers within bounds; and CSV, YAML, SVG, data frames."""
