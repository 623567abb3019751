#!/usr/bin/env python3
"""Stands between a store and those who ask it, as a network does: it may be slow, and be gone in the middle.

    store_proxy.py PORT STORE_PORT [BYTES_A_SECOND]

Connections are cut where they are when it is killed.
"""

import asyncio
import sys

port, store = int(sys.argv[1]), int(sys.argv[2])
rate = int(sys.argv[3]) if len(sys.argv) > 3 else 0


async def pump(reader, writer):
    try:
        while data := await reader.read(16384):
            if rate:
                await asyncio.sleep(len(data) / rate)
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass
    writer.close()


async def serve(reader, writer):
    try:
        to_reader, to_writer = await asyncio.open_connection("127.0.0.1", store)
    except ConnectionError:
        writer.close()
        return
    await asyncio.gather(pump(reader, to_writer), pump(to_reader, writer))


async def main():
    async with await asyncio.start_server(serve, "127.0.0.1", port) as server:
        await server.serve_forever()


asyncio.run(main())
