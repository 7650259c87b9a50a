"""The tables of a corpus in SQLite, and the columns of their rows."""

from __future__ import annotations

FORMAT, BEFORE = "2", "1"
"""The format that is written, and the one before it, which is brought up to it."""

SCHEMA = """
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS files (
    path TEXT PRIMARY KEY, document TEXT NOT NULL, sha TEXT NOT NULL, size BIGINT NOT NULL, changed BIGINT NOT NULL,
    version TEXT NOT NULL, status TEXT NOT NULL, reason TEXT NOT NULL, meta TEXT NOT NULL, sum INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS documents (
    version TEXT PRIMARY KEY, source TEXT NOT NULL, name TEXT NOT NULL, title TEXT NOT NULL, series TEXT NOT NULL,
    date TEXT NOT NULL, language TEXT NOT NULL, meta TEXT NOT NULL, pages INTEGER NOT NULL, tables INTEGER NOT NULL,
    sum INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS nodes (
    version TEXT NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL, page INTEGER NOT NULL, place INTEGER NOT NULL,
    parent TEXT NOT NULL, sum INTEGER NOT NULL, text TEXT NOT NULL, anchor TEXT NOT NULL, grid TEXT NOT NULL,
    meta TEXT NOT NULL, PRIMARY KEY (version, id));
CREATE INDEX IF NOT EXISTS nodes_by_id ON nodes (id);
CREATE INDEX IF NOT EXISTS nodes_by_page ON nodes (version, page);
CREATE TABLE IF NOT EXISTS pages (
    version TEXT NOT NULL, page INTEGER NOT NULL, nodes INTEGER NOT NULL, sentences INTEGER NOT NULL, sum INTEGER NOT NULL,
    PRIMARY KEY (version, page)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS vectors (
    text_hash TEXT NOT NULL, encoder TEXT NOT NULL, vector BLOB NOT NULL, sum INTEGER NOT NULL,
    PRIMARY KEY (text_hash, encoder));
CREATE TABLE IF NOT EXISTS covers (
    version TEXT PRIMARY KEY, cover TEXT NOT NULL, least BLOB NOT NULL, sum INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS generations (
    number INTEGER PRIMARY KEY, published TEXT NOT NULL, content TEXT NOT NULL, sum INTEGER NOT NULL);
"""
"""Every row carries the checksum of all that it holds (`sums`). So that a row that is lost is missed, `pages` holds of every page
how many nodes begin on it and what `page_sums` says of them, and `facts` the newest generation and the same of the files."""
NODE = "version, id, kind, page, place, parent, text, anchor, grid, meta, sum"
FILE = "path, document, sha, size, changed, version, status, reason, meta"
DOCUMENT = "version, source, name, title, series, date, language, meta, pages, tables"
