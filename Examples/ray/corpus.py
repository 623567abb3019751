#!/usr/bin/env python3
"""Renders a corpus in parts on a pool of machines, compares it with its baseline, and reports what differs.

    corpus.py CORPUS --against Snapshots --out run --parts 400 --pool ray --address auto [-- OPTIONS OF RENDER]

A task is a part of the run: `bookset snapshot render --shard k/n --compare`. What it hands back is the file of its differences, so
machines share the corpus, the baseline and, where there is one, the cache, and nothing else. The pool decides where a task runs
and runs it again when its machine is lost; all that is asked of it is `submit`, with futures of the standard library:

    threads    processes of this machine
    ray        a cluster of Ray: --address, or else one that is started here
    dask       a cluster of Dask: --address of its scheduler, or else one that is started here

Exit codes are those of `bookset snapshot compare`; 69 where parts were lost for good.
"""

import argparse
import concurrent.futures
import ctypes
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

# What no other machine does better: wrong usage, a book or an index that is damaged, no corpus or baseline.
HOPELESS = (64, 65, 66)


class Refused(Exception):
    """The part cannot be rendered anywhere."""


class Lost(Exception):
    """The machine could not render the part; another may."""


def dies_with_parent():
    """Whoever kills a worker means what it started, too (prctl(2): PR_SET_PDEATHSIG)."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def render(command, part, parts):
    """Renders a part and compares it.

    command is that of `bookset snapshot render` without the part and the folder. Returns the file of differences.
    """
    with tempfile.TemporaryDirectory(prefix="typeset-part-") as folder:
        out = os.path.join(folder, "part")
        result = subprocess.run(
            [*command, "--shard", f"{part}/{parts}", "--out", out, "--progress", "never"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", preexec_fn=dies_with_parent)
        said = result.stdout.strip().splitlines()[-1:] or [""]
        if result.returncode in HOPELESS:
            raise Refused(f"part {part}: exit code {result.returncode}: {said[0]}")
        if result.returncode != 0:
            raise Lost(f"part {part}: exit code {result.returncode}: {said[0]}")
        return pathlib.Path(out, "part.differences").read_bytes()


class Threads:
    """Processes of this machine. A part that fails is tried again here."""

    def __init__(self, options):
        self.retries = options.retries
        self.pool = concurrent.futures.ThreadPoolExecutor(options.workers or os.cpu_count())

    def submit(self, *arguments):
        return self.pool.submit(self.repeat, *arguments)

    def repeat(self, *arguments):
        for _ in range(self.retries):
            try:
                return render(*arguments)
            except Lost:
                pass
        return render(*arguments)


class Ray:
    """A cluster of Ray, whose own options say what a task needs and how often it is tried again."""

    def __init__(self, options):
        import ray
        ray.init(address=options.address, log_to_driver=False, configure_logging=False)
        # Workers need not have this file.
        ray.cloudpickle.register_pickle_by_value(sys.modules[render.__module__])
        needs = {"memory": options.memory << 20} if options.memory else {}
        self.task = ray.remote(render).options(
            num_cpus=options.jobs, max_retries=options.retries, retry_exceptions=[Lost], **needs)

    def submit(self, *arguments):
        return self.task.remote(*arguments).future()


class Dask:
    """A cluster of Dask; it tries a task again whose worker is lost, and one that fails as often as it is told."""

    def __init__(self, options):
        import dask.distributed
        self.client = dask.distributed.Client(options.address)
        self.pool = self.client.get_executor(pure=False, retries=options.retries)

    def submit(self, *arguments):
        return self.pool.submit(render, *arguments)


POOLS = {"threads": Threads, "ray": Ray, "dask": Dask}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus")
    parser.add_argument("--against", required=True, metavar="STORE", help="the baseline")
    parser.add_argument("--out", required=True, metavar="RUN", help="the folder of the run and its report")
    parser.add_argument("--parts", type=int, default=4 * (os.cpu_count() or 1), help="some minutes of work each")
    parser.add_argument("--pool", choices=POOLS, default="threads")
    parser.add_argument("--address", help="the cluster")
    parser.add_argument("--workers", type=int, help="parts at once, with --pool threads")
    parser.add_argument("--jobs", type=int, default=1, help="processors that a part takes")
    parser.add_argument("--memory", type=int, metavar="MIB", help="memory that a part takes, for placement")
    parser.add_argument("--retries", type=int, default=3, help="how often a part is tried again")
    parser.add_argument("--index", help="of the corpus, where workers see it")
    parser.add_argument("--cache", metavar="FOLDER", help="results that workers share")
    parser.add_argument("--bookset", default="bookset", metavar="PROGRAM")
    # What stands behind -- is for bookset snapshot render.
    own, more = sys.argv[1:], []
    if "--" in own:
        own, more = own[:own.index("--")], own[own.index("--") + 1:]
    options = parser.parse_args(own)
    command = [options.bookset, "snapshot", "render", os.path.abspath(options.corpus)]
    command += ["--compare", os.path.abspath(options.against), "--jobs", str(options.jobs)]
    for name in ("index", "cache"):
        if getattr(options, name):
            command += [f"--{name}", os.path.abspath(getattr(options, name))]
    command += more

    folder = pathlib.Path(options.out, "parts")
    folder.mkdir(parents=True, exist_ok=True)
    pool = POOLS[options.pool](options)
    waiting = {pool.submit(command, part, options.parts): part for part in range(1, options.parts + 1)}
    files, lost = [], []
    for future in concurrent.futures.as_completed(waiting):
        part = waiting[future]
        try:
            file = folder / f"{part}.part"
            file.write_bytes(future.result())
            files.append(str(file))
        except Refused as error:
            print(f"corpus: {error}", file=sys.stderr)
            os._exit(int(str(error).split("exit code ")[1].split(":")[0]))
        except Exception as error:  # Each pool has errors of its own for what it lost.
            lost.append(f"part {part}: {type(error).__name__}: {str(error).strip().splitlines()[-1:]}")
        print(f"{len(files) + len(lost)} of {options.parts} parts, {len(lost)} lost", file=sys.stderr, flush=True)
    for line in lost:
        print(f"corpus: {line}", file=sys.stderr)
    if lost:
        return 69
    merge = [options.bookset, "snapshot", "merge", *files, "--against", options.against, "--out", options.out]
    code = subprocess.run(merge).returncode
    if code in (0, 1, 3, 4):
        subprocess.run([options.bookset, "snapshot", "report", options.out])
    return code


if __name__ == "__main__":
    sys.exit(main())
