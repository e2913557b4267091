"""Calls every tool with the official Python client. Arguments: the server and its arguments."""

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp import types

asked = []


def plain(model):
    """As it is on the wire: the names of attributes differ between the versions of the client."""
    return model.model_dump(by_alias=True, mode="json")


async def confirm(context, params):
    asked.append(params.message)
    return types.ElicitResult(action="accept", content={"confirm": True})


async def main():
    server = StdioServerParameters(command=sys.argv[1], args=sys.argv[2:])
    async with stdio_client(server) as (read, write):
        async with ClientSession(read, write, elicitation_callback=confirm) as session:
            hello = plain(await session.initialize())

            async def call(tool, arguments):
                return plain(await session.call_tool(tool, arguments))

            tools = plain(await session.list_tools())
            assert [tool["name"] for tool in tools["tools"]] == ["find", "read", "act"], tools
            found = await call("find", {"query": "show"})
            assert not found["isError"] and found["structuredContent"]["ok"] is True, found
            good = await call("read", {"argv": ["tool", "show", "good"]})
            assert good["structuredContent"]["data"]["stdout"] == "good\n", good
            # The client checks the schema of the output itself, of failures too.
            bad = await call("read", {"argv": ["tool", "show", "bad"]})
            assert bad["isError"] and "it is gone" in bad["structuredContent"]["error"]["message"], bad
            assert json.loads(bad["content"][1]["text"]) == bad["structuredContent"], bad
            refused = await call("read", {"argv": ["tool", "frobnicate"]})
            assert refused["structuredContent"]["error"]["code"] == "NOT_READ_ONLY", refused
            done = await call("act", {"argv": ["tool", "frobnicate"]})
            assert done["structuredContent"]["ok"] is True and len(asked) == 1, done
            long = await call("read", {"argv": ["tool", "show", "long"]})
            rest = plain(await session.read_resource(long["structuredContent"]["data"]["resource"]))
            assert rest["contents"][0]["text"].startswith("line"), rest
            print("revision", hello["protocolVersion"])


asyncio.run(main())
