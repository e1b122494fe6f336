"""Calls tools with the official client. Reads {"url", "token", "calls": [{"tool", "arguments"}]}, prints what came."""

import asyncio
import json
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client


async def call(client, tool, arguments):
    result = await client.call_tool(tool, arguments)
    return {"error": bool(result.is_error), "text": "\n".join(block.text for block in result.content)}


async def main(task):
    headers = {"Authorization": "Bearer " + task["token"]} if task.get("token") else {}
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
        async with Client(streamable_http_client(task["url"], http_client=http)) as client:
            tools = (await client.list_tools()).tools
            results = await asyncio.gather(*(call(client, c["tool"], c["arguments"]) for c in task["calls"]))
            return {
                "server": client.server_info.name,
                "version": client.protocol_version,
                "instructions": client.instructions,
                "tools": [tool.model_dump(mode="json", by_alias=True) for tool in tools],
                "results": results,
            }


print(json.dumps(asyncio.run(main(json.load(sys.stdin)))))
