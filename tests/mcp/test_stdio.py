"""`pincite mcp` as an assistant starts it: a process of its own, spoken to over its pipes by the official client."""

import asyncio
import os
import sys

import pytest
from mcp import Client, StdioServerParameters

pytestmark = pytest.mark.servers


def test_all_tools_over_stdio(example_corpus):
    given = StdioServerParameters(
        command=sys.executable,
        args=["-m", "pincite.cli.main", "mcp", "--corpus", str(example_corpus)],
        env={name: os.environ[name] for name in ("PINCITE_MODELS", "XDG_STATE_HOME")},
    )

    async def run():
        async with Client(given) as client:
            covered = (await client.call_tool("coverage", {})).structured_content
            name = next(one["document"] for one in covered["listed"] if "alvorsen" in one["title"])
            found = await client.call_tool(
                "search", {"query": "income tax expense", "documents": [name], "k": 2}
            )
            page = await client.call_tool("read_page", {"document": name, "page": 3})
            beyond = await client.call_tool("read_page", {"document": name, "page": 99})
            unit = {
                "question": "What is the unit of water consumption?",
                "document": "solvik-sustainability-2023.pdf",
            }
            rows = await client.call_tool("query_table", unit)
            asked = await client.call_tool(
                "ask", {"question": "What was revenue in 2023?", "documents": [name]}
            )
            return (
                covered,
                name,
                found,
                page,
                beyond,
                rows,
                asked,
                (await client.list_tools()).tools,
            )

    covered, name, found, page, beyond, rows, asked, tools = asyncio.run(run())
    for tool in tools:
        undescribed = [
            name
            for name, one in tool.input_schema["properties"].items()
            if "description" not in one
        ]
        assert tool.description and not undescribed, (tool.name, undescribed)
    assert covered["documents"] == 3 and "files" not in covered
    hits = found.structured_content["hits"]
    assert len(hits) == 2 and hits[0]["document"] == name and hits[0]["page"] == 3
    text = page.structured_content["text"]
    assert (
        "| Income tax expense | 8 | (11,706) |" in text and page.structured_content["next"] is None
    )
    assert beyond.is_error and "has no page 99" in beyond.content[0].text
    assert rows.structured_content["refused"] is False
    assert rows.structured_content["rows"] == [["million m3"]]
    assert asked.structured_content["value"] == 412608000
