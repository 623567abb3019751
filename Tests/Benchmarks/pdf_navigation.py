#!/usr/bin/env python3
"""Whether the outline, the links and the labels of pages in PDFs are those of their books.

    pdf_navigation.py TYPESET BOOK...

The outline is compared with the contents of `typeset info --json`, title by title. The number of links is compared with that of `--layout`,
as far as they lead to a document of the book or to an address of the web.
Labels are compared with the page list of the book's navigation document or NCX, which is read here: the label of a page is that of
the first printed page that begins on it: on the first line of `--layout` that ends behind the element which the list names. The exit code is 1 where anything differs. Needs pikepdf (PyPI).
"""

import argparse
import json
import pathlib
import posixpath
import re
import subprocess
import sys
import tempfile
import urllib.parse
import xml.etree.ElementTree as ElementTree
import zipfile

import pikepdf

EPUB_TYPE = "{http://www.idpf.org/2007/ops}type"


def local(element):
    return element.tag.rsplit("}", 1)[-1] if isinstance(element.tag, str) else ""


def parsed(archive, path):
    try:
        return ElementTree.fromstring(archive.read(path))
    except (KeyError, ElementTree.ParseError):
        return None


def page_list(archive):
    """Labels with the document and the element that their printed page begins at."""
    package = next((name for name in archive.namelist() if name.endswith(".opf")), None)
    root = parsed(archive, package) if package else None
    if root is None:
        return []
    found = []
    items = [item for item in root.iter() if local(item) == "item"]
    items.sort(key=lambda item: "nav" not in item.get("properties", "").split())
    for item in items:
        is_navigation = "nav" in item.get("properties", "").split()
        if not is_navigation and item.get("media-type") != "application/x-dtbncx+xml":
            continue
        path = posixpath.normpath(posixpath.join(posixpath.dirname(package), urllib.parse.unquote(item.get("href"))))
        document = parsed(archive, path)
        if document is None:
            continue
        for element in document.iter():
            if is_navigation and local(element) == "nav" and "page-list" in element.get(EPUB_TYPE, "").split():
                found += [(" ".join("".join(link.itertext()).split()), link.get("href"), path)
                          for link in element.iter() if local(link) == "a"]
            if not is_navigation and local(element) == "pageTarget":
                text = "".join(next(part for part in element.iter() if local(part) == "text").itertext())
                source = next(part for part in element.iter() if local(part) == "content").get("src")
                found.append((" ".join(text.split()), source, path))
        if found:
            break
    result = []
    for label, link, base in found:
        target, _, fragment = link.partition("#")
        result.append((label, posixpath.normpath(posixpath.join(posixpath.dirname(base), urllib.parse.unquote(target))), fragment))
    return result


def chain(root, fragment):
    """The elements from the root to one, each with its step in a canonical fragment identifier."""
    def search(element, path):
        if element.get("id") == fragment:
            return path
        for index, child in enumerate(child for child in element if isinstance(child.tag, str)):
            if (found := search(child, path + [(2 * index + 2, child)])) is not None:
                return found
        return None
    return search(root, [])


def offset(block, target):
    """Characters of a block before one of its elements, each white space as one."""
    text = ""
    def gather(element):
        nonlocal text
        if element is target:
            return True
        text += element.text or ""
        for child in element:
            if gather(child):
                return True
            text += child.tail or ""
        return False
    gather(block)
    return len(re.sub(r"\s+", " ", text).lstrip())


def begins(line, path):
    """An element, told by the elements it is in, begins on a line or before it."""
    source = [int(step) for step in line["source"]["node"].split("/") if step.isdigit()]
    target = [step for step, _ in path]
    if source == target[:len(source)] and len(source) < len(target):
        return line["source"]["end"] > offset(path[len(source) - 1][1], path[-1][1])
    return source >= target


def expected_labels(book, pages):
    """By page, from 0."""
    labels = {}
    if not zipfile.is_zipfile(book):
        return labels
    with zipfile.ZipFile(book) as archive:
        for label, path, fragment in page_list(archive):
            own = [page for page in pages if page["href"] == path]
            if not own:
                continue
            found = own[0]
            if fragment:
                root = parsed(archive, path)
                path_of_target = chain(root, fragment) if root is not None else None
                if not path_of_target:
                    continue
                found = next((page for page in own for line in page["lines"]
                              if line["source"] and begins(line, path_of_target)), own[-1])
            labels.setdefault(found["number"] - 1, label)
    return labels


def leads(link, base, spine):
    """A link leads to a document of the book or to an address that others can reach."""
    scheme = urllib.parse.urlsplit(link).scheme.lower()
    if scheme:
        return scheme in {"http", "https", "mailto", "ftp", "tel"}
    path = urllib.parse.unquote(link.partition("#")[0])
    return not path or posixpath.normpath(posixpath.join(posixpath.dirname(base), path)) in spine


def pdf_outline(pdf):
    found = []
    with pdf.open_outline() as outline:
        def walk(items, level):
            for item in items:
                found.append((item.title, level))
                walk(item.children, level + 1)
        walk(outline.root, 0)
    return found


def pdf_labels(pdf):
    numbers = list(pdf.Root.PageLabels.Nums) if "/PageLabels" in pdf.Root else []
    return {int(numbers[at]): str(numbers[at + 1].P) for at in range(0, len(numbers), 2) if "/P" in numbers[at + 1]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("typeset", type=pathlib.Path)
    parser.add_argument("books", type=pathlib.Path, nargs="+")
    options = parser.parse_args()
    faults = 0
    for book in options.books:
        with tempfile.TemporaryDirectory() as name:
            path = pathlib.Path(name) / "book.pdf"
            layout = pathlib.Path(name) / "layout"
            run = subprocess.run([options.typeset, book, "--pdf", path, "--layout", layout, "--quiet"], capture_output=True, text=True)
            if run.returncode:
                print(f"{book.name}: {run.returncode}: {run.stderr.strip()}")
                faults += 1
                continue
            information = json.loads(subprocess.run([options.typeset, "info", book, "--json"], capture_output=True, text=True).stdout)
            records = [json.loads(line) for line in layout.read_text(encoding="utf-8").splitlines()]
            pages = [record for record in records if record["type"] == "page"]
            with pikepdf.open(path) as pdf:
                outline, labels = pdf_outline(pdf), pdf_labels(pdf)
                links = [sum(a.get("/Subtype") == "/Link" for a in page.get("/Annots", [])) for page in pdf.pages]
        spine = {document["href"] for document in information["spine"]}
        contents = [entry["title"] for entry in information["contents"]]
        wanted = expected_labels(book, pages)
        found = []
        if contents and [title for title, _ in outline] != contents:
            found.append(f"outline has {len(outline)} entries, contents have {len(contents)}")
        wanted_links = sum(leads(link["href"], page["href"], spine) for page in pages for link in page["links"])
        if sum(links) != wanted_links:
            found.append(f"{sum(links)} links, {wanted_links} in the layout")
        wrong = sorted(page for page in wanted.keys() | labels.keys() if wanted.get(page) != labels.get(page))
        if wrong:
            found.append(f"labels of {len(wrong)} pages, first {wrong[0] + 1}: {labels.get(wrong[0])}, not {wanted.get(wrong[0])}")
        print(f"{book.name}: outline {len(outline)}, links {sum(links)}, labels {len(labels)}: {'; '.join(found) or 'equal'}", flush=True)
        faults += bool(found)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
