#!/usr/bin/env python3
"""Many books open for reading at once in one pool, and many drawings at once: memory, and who waits.

    pool.py FOLDER [--books 45] [--memory 200] [--rounds 12] [--drawings 64] [--library FILE]

Opens so many books of a folder by the Python package in a pool of so many MiB, shows the first page of each, and then turns pages in all
of them in turn, from another chapter every other round, as readers do who read beside each other. Then so many threads draw pages at
twice the size while one sleeps 5 ms over and over: how late it wakes is what others on the machine wait for drawings.

FILE is libtypeset.so.1 (`make library`), .build/release/library/libtypeset.so.1 unless told otherwise. Memory is in MiB: resident, and of
it not mapped from files such as fonts. Times depend on the machine.
"""

import argparse
import os
import pathlib
import statistics
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def memory() -> str:
    lines = (line.split() for line in pathlib.Path("/proc/self/status").read_text().splitlines())
    sizes = {line[0].rstrip(":"): int(line[1]) // 1024 for line in lines if line[0].startswith(("VmRSS", "VmHWM", "RssAnon"))}
    return f"{sizes['VmRSS']} MiB resident, {sizes['VmHWM']} at most, {sizes['RssAnon']} of no file"


def described(times: list) -> str:
    ordered = sorted(1000 * one for one in times)
    return (f"median {statistics.median(ordered):.1f}, 95 % {ordered[int(0.95 * (len(ordered) - 1))]:.1f}, "
            f"at most {ordered[-1]:.1f} ms")


class Reader:
    """Somebody who reads a book."""

    def __init__(self, typeset, path, pool):
        self.book = typeset.open(path)
        self.typesetter = self.book.typesetter(pool=pool)
        self.page = self.typesetter.page(0, 0)
        self.page.png(1)

    def turn(self, typeset, jumps: bool) -> bool:
        """Shows the next page, or the first one of the next chapter; false at the book's end."""
        try:
            page = self.typesetter.page(self.page.chapter + 1, 0) if jumps else self.typesetter.next(self.page)
        except typeset.TypesetError:
            return False
        if page is None:
            return False
        page.png(1)
        self.page.close()
        self.page = page
        return True


def timed(action, times: list):
    start = time.perf_counter()
    result = action()
    if result is not False:
        times.append(time.perf_counter() - start)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--books", type=int, default=45)
    parser.add_argument("--memory", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--drawings", type=int, default=64)
    parser.add_argument("--library", default=ROOT / ".build/release/library/libtypeset.so.1")
    options = parser.parse_args()
    os.environ["TYPESET_LIBRARY"] = str(options.library)
    sys.path.insert(0, str(ROOT / "Python"))
    import typeset_engine as typeset

    typeset.bound_memory()
    pool = typeset.Pool(options.memory << 20)
    first, turns, readers = [], [], []
    for path in sorted(options.folder.glob("*.epub"))[:options.books]:
        readers.append(timed(lambda: Reader(typeset, path, pool), first))
    print(f"{len(readers)} books open: {memory()}")
    for round in range(options.rounds):
        for reader in readers:
            timed(lambda: reader.turn(typeset, jumps=round % 2 == 1), turns)
    usage = pool.usage
    print(f"after {len(turns)} turns: {memory()}; the pool holds {usage['bytes'] >> 20} MiB in {usage['layouts']} chapters, "
          f"{usage['evictedLayouts']} were given up")
    print(f"opening and first page: {described(first)}")
    print(f"a turn: {described(turns)}")

    late, ends = [], threading.Event()

    def sleep() -> None:
        while not ends.is_set():
            start = time.perf_counter()
            time.sleep(0.005)
            late.append(time.perf_counter() - start)

    sleeper = threading.Thread(target=sleep)
    pages = [readers[number % len(readers)].page for number in range(options.drawings)]
    threads = [threading.Thread(target=page.pixels, kwargs={"scale": 2}) for page in pages]
    sleeper.start()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ends.set()
    sleeper.join()
    print(f"a sleep of 5 ms beside {options.drawings} drawings: {described(late)}")


if __name__ == "__main__":
    main()
