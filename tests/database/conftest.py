"""What tests of databases share."""

from tests.postgres import postgres  # noqa: F401
