#!/usr/bin/env python3
"""Two people decide on the kinds of change of a run in two browsers at once: every decision is kept, and what they leave is what
the commands would have written.

    two_reviewers.py TYPESET FOLDER [KINDS]

Needs Chromium, and playwright of PyPI. Both also decide on one kind that the other has in work: who comes second is told so, and
decides again. Prints what came of it; the exit code is 1 where a decision is lost or another one.
"""

import concurrent.futures
import json
import pathlib
import shutil
import subprocess
import sys
import threading

from playwright.sync_api import sync_playwright

typeset, folder = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
kinds = int(sys.argv[3]) if len(sys.argv) > 3 else 40
chromium = next(path for path in map(shutil.which, ["chromium", "chromium-browser", "google-chrome"]) if path)
failures = []


def check(holds, text):
    if not holds:
        failures.append(text)
        print(f"two_reviewers: {text}", file=sys.stderr)


def snapshot(*arguments, code=0):
    result = subprocess.run([typeset, "snapshot", *map(str, arguments)], cwd=folder, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True)
    check(result.returncode == code, f"exit code {result.returncode}: {arguments}: {result.stdout[-400:]}")
    return result.stdout


# Changes of their own kind: each to another size.
shutil.rmtree(folder, ignore_errors=True)
(folder / "books").mkdir(parents=True)
sheet = []
for number in range(kinds):
    (folder / f"books/book-{number:02}.html").write_text(
        f"<!DOCTYPE html><title>{number}</title><p>Before it.<p class=k{number}>The words of it<p>After it.")
    sheet.append(f".k{number} {{ font-size: {17 + number}px }}")
(folder / "changed.css").write_text("\n".join(sheet))
snapshot("record", "books", "--profile", "ereader", "--into", "store", "--out", "base", "--quiet")
snapshot("verify", "books", "--profile", "ereader", "--user-css", "changed.css", "--against", "store", "--out", "run", code=1)
clusters = [cluster["id"] for cluster in json.loads((folder / "run/comparison.json").read_text())["clusters"]]
shutil.copytree(folder / "run", folder / "again")
server = subprocess.Popen([typeset, "snapshot", "serve", "run", "--token", "0123456789abcdef"], cwd=folder, stdout=subprocess.PIPE,
                          text=True)
address = server.stdout.readline().strip()
barrier = threading.Barrier(2)
told = []


def decide(page, verb, cluster, name, reason, waits=False):
    """Decides on a cluster by its buttons. Where somebody was there before, that is told, and it is decided again."""
    page.goto(f"{address}#cluster={cluster}")
    page.locator(f"[data-keep='{verb}-{cluster}']").first.click()
    for attempt in range(2):
        page.fill("#decide-text", reason)
        page.fill("#decide-by", name)
        if waits and attempt == 0:
            barrier.wait(timeout=120)
        page.locator("#decide button[type=submit]").click()
        page.wait_for_selector("#decide:not([open]), #decide .notice:not([hidden])", state="attached")
        if page.locator("#decide[open]").count() == 0:
            return
        told.append((name, page.inner_text("#decide .notice")))
        page.locator("#decide button[type=button]").click()
        page.locator(f"[data-keep='{verb}-{cluster}']").first.click()
    check(False, f"{name} could not decide on {cluster}")


def review(name, verb, mine, common):
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        page.set_default_timeout(120_000)
        for cluster in mine:
            decide(page, verb, cluster, name, f"{name} on {cluster}")
        decide(page, verb, common, name, f"{name} on {common}", waits=True)
        browser.close()


*own, common = clusters
people = [("Ada", "accepted", own[::2]), ("Ben", "regression", own[1::2])]
try:
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for work in [pool.submit(review, *person, common) for person in people]:
            work.result()
finally:
    server.terminate()
    server.wait()

lines = [json.loads(line) for line in (folder / "books/decisions.ndjson").read_text().splitlines()]
reasons = [line["reason"] for line in lines]
for name, verb, mine in people:
    for cluster in [*mine, common]:
        count = reasons.count(f"{name} on {cluster}")
        check(count == 1, f"{name}'s decision on {cluster} is there {count} times")
check(len(lines) == len(clusters) + 1, f"{len(lines)} decisions on {len(clusters)} kinds of change")
check(len(told) == 1 and "was there before" in told[0][1], f"who came second was told: {told}")

# What the commands write of the same, in the same order.
for line in lines:
    verb = "accept" if line["verdict"] == "accepted" else "reject"
    cluster = line["reason"].split(" ")[-1]
    snapshot(verb, "again", "--cluster", cluster, "--reason", line["reason"], "--by", line["by"], "--decisions", "commands.ndjson")
commands = [json.loads(line) for line in (folder / "commands.ndjson").read_text().splitlines()]


def without_time(line):
    return {name: value for name, value in line.items() if name not in ("time", "date", "after")}


check(list(map(without_time, lines)) == list(map(without_time, commands)), "the file is another than that of the commands")
print(f"{len(clusters)} kinds of change, {len(lines)} decisions in two browsers, {len(told)} conflict told; {len(failures)} failures")
sys.exit(1 if failures else 0)
