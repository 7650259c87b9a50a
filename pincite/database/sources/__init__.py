"""Where tables are: databases and files of tables, opened for reading only."""
