#!/usr/bin/env python3
"""What readers of the reading server wait for while others read.

usage: readers.py SERVER FOLDER [--readers 45] [--turns 6] [--pause 4] [--screen 800x1100]

SERVER is the program of Examples/ReadingServer, built for release (`swift build -c release` there), FOLDER a library. So many
readers come one after the other within the time of a pause, each opens a book (a few are read by more than one where there
are fewer books), sees its first page and turns pages with a pause between them. The first page is three requests: the book,
what is on the page, its picture. Printed are the median, the slowest of twenty and the slowest first page and turn, in
milliseconds, and the server's memory and CPU time. The readers take some of the same processors.
"""
import argparse
import http.client
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import threading
import time


def get(connection, path):
    connection.request("GET", path)
    answer = connection.getresponse()
    body = answer.read()
    if answer.status >= 400:
        raise RuntimeError(f"{path}: {answer.status} {body[:200]!r}")
    return json.loads(body) if (answer.getheader("Content-Type") or "").startswith("application/json") else body


def page(connection, book, query, style):
    """The page and its picture; nothing behind the last one."""
    found = get(connection, f"/api/books/{book}/page?{query}&{style}")
    if found:
        get(connection, found["image"])
    return found or None


def read(port, book, options, number, firsts, turns, faults):
    chance = random.Random(number)
    width, height = options.screen.split("x")
    style = f"width={width}&height={height}&fontSize=18"
    time.sleep(number * options.pause / options.readers)
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        start = time.monotonic()
        get(connection, f"/api/books/{book}")
        here = page(connection, book, "chapter=0&index=0", style)
        firsts.append(time.monotonic() - start)
        for _ in range(options.turns):
            time.sleep(options.pause * chance.uniform(0.5, 1.5))
            start = time.monotonic()
            here = here and page(connection, book, f"after={here['chapter']}.{here['index']}", style)
            if not here:
                break
            turns.append(time.monotonic() - start)
    except Exception as fault:
        faults.append(f"{book}: {fault}")


def line(name, times):
    ordered = sorted(1000 * t for t in times) or [0]
    at = lambda share: ordered[min(len(ordered) - 1, int(share * len(ordered)))]
    print(f"{name}: {len(times)}, median {at(0.5):.0f} ms, one in twenty {at(0.95):.0f} ms, slowest {ordered[-1]:.0f} ms")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("server")
    parser.add_argument("library", type=pathlib.Path)
    parser.add_argument("--readers", type=int, default=45)
    parser.add_argument("--turns", type=int, default=6)
    parser.add_argument("--pause", type=float, default=4)
    parser.add_argument("--screen", default="800x1100")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as data:
        server = subprocess.Popen(
            [options.server, str(options.library), "--port", "0", "--data", data],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            for text in server.stdout:
                if found := re.search(r"http://[^:/ ]+:(\d+)", text):
                    break
            else:
                sys.exit("the server gave no address")
            threading.Thread(target=lambda: [None for _ in server.stdout], daemon=True).start()
            port = int(found[1])
            shelf = get(http.client.HTTPConnection("127.0.0.1", port, timeout=300), "/api/books")
            books = [book["id"] for book in shelf if not book.get("problem")]
            if not books:
                sys.exit("there is no book in the library")
            firsts, turns, faults = [], [], []
            readers = [
                threading.Thread(
                    target=read, args=(port, books[i % len(books)], options, i, firsts, turns, faults))
                for i in range(options.readers)
            ]
            for reader in readers:
                reader.start()
            for reader in readers:
                reader.join()
            print(f"{len(books)} books, {options.readers} readers")
            line("first pages", firsts)
            line("turns", turns)
            status = pathlib.Path(f"/proc/{server.pid}/status").read_text()
            fields = pathlib.Path(f"/proc/{server.pid}/stat").read_text().rsplit(")")[-1].split()
            seconds = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
            print("server: " + ", ".join(re.findall(r"Vm(?:HWM|RSS):\s+\d+ kB", status)) + f", {seconds:.2f} s of CPU")
            for fault in faults:
                print(f"failed: {fault}")
        finally:
            server.terminate()
            server.wait(10)
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
