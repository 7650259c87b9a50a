"""Where an endpoint is, and what every request to it carries."""

from __future__ import annotations

import os
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

    def hidden(self, text: str) -> str:
        """A text of the endpoint without any secret that it was sent: endpoints have been seen to repeat them."""
        values = [value for _, value in (*self.headers, *self.query)]
        for name in (self.key, *(value[1:] for value in values if value.startswith("$"))):
            secret = os.environ.get(name, "")
            if len(secret) > 3:
                text = text.replace(secret, "***")
        return text


def filled(pairs: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """Headers or a query with the values of their variables; one whose variable is not set is left out."""
    values = {
        name: os.environ.get(value[1:], "") if value.startswith("$") else value
        for name, value in pairs
    }
    return {name: value for name, value in values.items() if value}
