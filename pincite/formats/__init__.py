"""Forms that others read: CSV for spreadsheets, YAML whose errors name their line, plots in SVG, data frames of pandas."""
