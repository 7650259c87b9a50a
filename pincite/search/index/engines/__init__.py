"""Shelves that a database server searches: PostgreSQL with pgvector, and Milvus.

Both hold what the embedded indexes hold: the terms of each row with how often they stand there, and its vector. Rows belong to
documents and never change, so the generations of a corpus share them; the folder of an index says which are its own.
"""
