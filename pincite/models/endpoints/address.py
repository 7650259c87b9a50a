"""Where an endpoint is, and what every request to it carries."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EndpointAddress:
    """A base URL (it mostly ends in /v1), and the environment variable that holds the API key; "" sends none.

    `headers` and `query` go with every request, as names and values. A value that begins with "$" is read from the
    environment variable of that name, so that no secret stands in a file.
    """

    base_url: str
    key: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    query: tuple[tuple[str, str], ...] = ()

    def sent_headers(self) -> dict[str, str]:
        """The headers with the values of their variables; one whose variable is not set is left out."""
        return _filled(self.headers)

    def sent_query(self) -> dict[str, str]:
        """The query with the values of its variables."""
        return _filled(self.query)

    def hidden(self, text: str) -> str:
        """A text of the endpoint without any secret that it was sent: endpoints have been seen to repeat them."""
        for name in self._variables():
            secret = os.environ.get(name, "")
            if len(secret) > 3:
                text = text.replace(secret, "***")
        return text

    def _variables(self) -> Iterator[str]:
        yield self.key
        for _, value in (*self.headers, *self.query):
            if value.startswith("$"):
                yield value[1:]


def _filled(pairs: tuple[tuple[str, str], ...]) -> dict[str, str]:
    values = {
        name: os.environ.get(value[1:], "") if value.startswith("$") else value
        for name, value in pairs
    }
    return {name: value for name, value in values.items() if value}
