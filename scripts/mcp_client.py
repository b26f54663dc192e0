#!/usr/bin/env python3
"""Talks to `mojika mcp` with the protocol's own client: scripts/check-packages.sh runs it where the package mcp can be had.

    scripts/mcp_client.py MOJIKA FOLDER

FOLDER gets a file in Shift_JIS with a malformed byte, which is read, edited and written.
"""
import asyncio
import json
import pathlib
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

BEFORE = b"\xfa\x54\xff \x95\xb6\x8e\x9a\r\n"
REPLACED = b"\xfa\x54\xff \x8a\xbf\x8e\x9a\r\n"
WRITTEN = b"\xfa\x54\xff \x8a\xbf\x8e\x9a\x81I\r\n"


async def talk(mojika, folder):
    file = folder / "a.txt"
    file.write_bytes(BEFORE)
    server = StdioServerParameters(command=mojika, args=["mcp", "--root", str(folder), "--from", "shift_jis"])
    async with stdio_client(server) as streams, ClientSession(*streams) as session:
        await session.initialize()
        tools = [tool.name for tool in (await session.list_tools()).tools]
        assert tools == ["read", "detect", "replace", "write"], tools

        async def call(name, **arguments):
            result = await session.call_tool(name, arguments)
            failed = getattr(result, "isError", None) or getattr(result, "is_error", None)
            return result.content[0].text, bool(failed)

        text, failed = await call("read", path="a.txt")
        assert not failed and json.loads(text)["text"] == "￢\ufffd 文字\r\n", text
        text, failed = await call("replace", path="a.txt", old="文", new="漢")
        assert not failed and file.read_bytes() == REPLACED, (text, file.read_bytes())
        read = json.loads((await call("read", path="a.txt"))[0])
        new = read["text"].replace("字", "字！")
        text, failed = await call("write", path="a.txt", text=new, expect=read["fingerprint"])
        assert not failed and file.read_bytes() == WRITTEN, (text, file.read_bytes())
        for path in ["../a.txt", "/etc/passwd"]:
            text, failed = await call("read", path=path)
            assert failed and "not below the folder" in text, text
    print("read, replaced and wrote as its client asked")


if len(sys.argv) != 3:
    sys.exit(__doc__)
asyncio.run(talk(sys.argv[1], pathlib.Path(sys.argv[2])))
