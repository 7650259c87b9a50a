"""A question to a program over the relations of a database, without a model."""
