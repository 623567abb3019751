"""The module typeset_engine, as it is installed."""

import ctypes
import pathlib
import shutil
import struct
import sys
import tempfile
import threading
import unittest

import typeset_engine as typeset
from typeset_engine import _library

PLACES_NOWHERE = ["0/999999:0", "1/4294967295:4294967295", "1/5:9223372036854775807", "9223372036854775807/1:1"]
NUMBERS = (ctypes.c_double, ctypes.c_int32, ctypes.c_size_t, ctypes.c_uint32)
BOOK = pathlib.Path(__file__).resolve().parents[2] / "Corpus" / "en-the-keeper-of-small-lights"


class Books(unittest.TestCase):
    def setUp(self):
        self.book = typeset.open(BOOK)
        self.addCleanup(self.book.close)

    def test_what_a_book_tells(self):
        self.assertEqual(self.book.title, "The Keeper of Small Lights")
        self.assertEqual(self.book.metadata["language"], "en")
        self.assertEqual(self.book.contents[0]["title"], "I. The Lamp")
        chapter = self.book.chapters[1]["href"]
        self.assertIn(b"<html", self.book.resource(chapter))
        self.assertEqual(typeset.version, typeset.__version__)

    def test_a_book_of_bytes(self):
        with typeset.open("# Title\n\nOne *two* three".encode(), name="text.md") as book:
            self.assertIn("two", next(book.pages()).text)
        with typeset.open(b"caf\xe9", name="a.txt", encoding="latin1") as book:
            self.assertIn("caf\u00e9", next(book.pages()).text)

    def test_the_drawing_of_a_page(self):
        page = next(self.book.pages())
        drawing = page.display_list()
        self.assertEqual((drawing["width"], drawing["height"]), page.size)
        run = next(item for item in drawing["items"] if item["kind"] == "glyphs")
        self.assertTrue(page.face(run["font"])["family"])
        outlines = [page.glyph_outline(run["font"], int(glyph)) for glyph in run["glyphs"][::3]]
        self.assertTrue(all(outline == "" or outline.startswith("M") for outline in outlines) and any(outlines))
        with self.assertRaises(typeset.TypesetError):
            page.glyph_picture(run["font"], 1, 32)
        for item in drawing["items"]:
            if item["kind"] == "image":
                self.assertEqual(page.image_png(item["image"], 4, 4)[:4], b"\x89PNG")

    def test_the_structure_of_a_page(self):
        with typeset.open("# Title\n\nOne *two* three".encode(), name="text.md") as book:
            heading, paragraph = next(book.pages()).structure["nodes"]
            self.assertEqual((heading["role"], heading["level"], heading["children"][0]["text"]), ("heading", 1, "Title"))
            self.assertEqual(paragraph["role"], "paragraph")

    def test_pages_in_order(self):
        typesetter = self.book.typesetter(size=(300, 400), font_size=14)
        pages = list(typesetter.pages())
        self.assertEqual([page.number for page in pages], list(range(1, typesetter.page_count() + 1)))
        self.assertEqual(typesetter.estimate["total"], len(pages))
        self.assertEqual(pages[0].size, (300, 400))
        back = typesetter.previous(pages[1])
        self.assertEqual((back.png(), back.number), (pages[0].png(), 1))
        self.assertEqual(typesetter.page_at(pages[3].start).text_layer, pages[3].text_layer)
        with self.assertRaises(LookupError):
            typesetter.next(pages[-1])
        typesetter.apply(size=(200, 200))
        self.assertEqual(typesetter.settings["pageSize"], [200, 200])

    def test_pictures(self):
        page = next(self.book.pages(theme="dark"))
        self.assertEqual(struct.unpack(">II", page.png(2)[16:24]), (1200, 1600))
        self.assertEqual(page._repr_png_(), page.png())
        pixels = page.pixels("rgba", clip=(3, 5, 20, 10))
        self.assertEqual((pixels.width, pixels.height, len(pixels.data)), (20, 10, 800))
        self.assertEqual(pixels.data[:4], bytes([0x16, 0x18, 0x1C, 0xFF]))
        self.assertEqual(len(page.pixels("gray", scale=0.5).data), 300 * 400)
        with tempfile.TemporaryDirectory() as folder:
            page.save(pathlib.Path(folder) / "page.png")
            self.assertEqual((pathlib.Path(folder) / "page.png").read_bytes(), page.png())
        with self.assertRaises(typeset.TypesetError):
            page.pixels(clip=(590, 0, 20, 10))
        with self.assertRaises(ValueError):
            page.pixels("cmyk")
        try:
            import numpy
        except ImportError:
            return
        self.assertEqual(numpy.asarray(page.pixels()).shape, (800, 600, 4))

    def test_search(self):
        typesetter = self.book.typesetter()
        found = list(typesetter.search("LAMP", whole_words=True))
        self.assertGreater(len(found), 1)
        self.assertEqual({result["match"].lower() for result in found}, {"lamp"})
        self.assertEqual(list(typesetter.search("LAMP", exact=True)), [])
        self.assertIn("lamp", typesetter.page_at(found[0]["start"]).text.lower().replace("\n", ""))

    def page_with_link(self, typesetter):
        return next(page for page in typesetter.pages() if page.chapter == 1 and page.text_layer["links"])

    def test_what_is_at_a_point(self):
        typesetter = self.book.typesetter()
        page = self.page_with_link(typesetter)
        layer = page.text_layer
        line = next(line for line in layer["lines"] if len(line["words"]) > 10)
        for word in line["words"]:
            x, y, width, height = word["rect"]
            hit = page.hit(x + width / 2, y + height / 2)
            self.assertEqual(hit["word"]["text"] if word["isWord"] else word["text"], word["text"])
            self.assertEqual((hit["line"]["start"], hit["line"]["end"]), (line["start"], line["end"]))
            self.assertIn(hit["word"]["text"], hit["sentence"]["text"])
            self.assertNotIn("picture", hit)
        link = layer["links"][0]
        x, y, width, height = link["rect"]
        self.assertEqual(page.hit(x + width / 2, y + height / 2)["link"], link)
        self.assertNotIn("link", page.hit(0, 0))
        self.assertEqual(page.hit(float("nan"), 1e300).keys(), page.hit(0, 1e9).keys())
        words = [word for word in line["words"] if word["isWord"]]
        stretch = page.stretch(words[2]["end"], words[0]["start"])
        self.assertEqual(stretch["text"].split()[0], words[0]["text"])
        self.assertEqual((stretch["start"], stretch["end"]), (words[0]["start"], words[2]["end"]))
        self.assertEqual(len(stretch["rectangles"]), 1)
        with self.assertRaises(typeset.TypesetError) as told:
            page.stretch(words[0]["start"], "nowhere")
        self.assertEqual(told.exception.part, "end")

    def test_links_and_notes(self):
        typesetter = self.book.typesetter()
        link = self.page_with_link(typesetter).text_layer["links"][0]
        place = self.book.link(link["href"], link["source"])
        self.assertEqual(typesetter.page_at(place).chapter, 3)
        note = typesetter.note(link["source"], width=300, scale=2)
        self.assertTrue(note.text.startswith("The Stag Rock dries"))
        self.assertEqual(struct.unpack(">II", note.png[16:24]), (600, note.height * 2))
        self.assertEqual(note.width, 300)
        self.assertEqual(self.book.link(self.book.contents[0]["href"]).split("/")[0], "1")
        for failing in [lambda: self.book.link("https://example.org/"), lambda: typesetter.note("0/0:0"),
                        lambda: typesetter.note(link["source"], width=1e9), lambda: typesetter.note("x"),
                        lambda: typesetter.note(link["source"], scale=1e9), lambda: self.book.link("x", "y")]:
            with self.assertRaises(typeset.TypesetError):
                failing()

    def test_sentences(self):
        typesetter = self.book.typesetter(size=(300, 300))
        sentences = typesetter.sentences(1)
        self.assertGreater(len(sentences), 20)
        self.assertEqual({sentence["language"] for sentence in sentences}, {"en"})
        for sentence in sentences:
            for place in sentence["places"]:
                self.assertTrue(place["rectangles"])
                self.assertEqual(typesetter.page_at(place["start"]).index, place["page"])
        self.assertTrue(any(len(sentence["places"]) > 1 for sentence in sentences))
        self.assertEqual(typesetter.sentences(1, sentences[7]["start"]), sentences[7:])
        with self.assertRaises(typeset.NoSuchPage):
            typesetter.sentences(99)

    def test_recordings(self):
        typesetter = self.book.typesetter()
        self.assertEqual(typesetter.media_overlay(1), [])
        with self.assertRaises(typeset.NoSuchPage):
            typesetter.media_overlay(99)
        with tempfile.TemporaryDirectory() as folder:
            spoken = pathlib.Path(folder) / "book"
            shutil.copytree(BOOK, spoken)
            package = spoken / "OEBPS" / "package.opf"
            item = '<item id="spoken" href="spoken.smil" media-type="application/smil+xml"/></manifest>'
            package.write_text(
                package.read_text().replace('href="part-1.xhtml"', 'href="part-1.xhtml" media-overlay="spoken"')
                .replace("</manifest>", item))
            (spoken / "OEBPS" / "spoken.smil").write_text(
                '<smil xmlns="http://www.w3.org/ns/SMIL" version="3.0"><body><par><text src="part-1.xhtml#ref-1"/>'
                '<audio src="spoken.mp3" clipBegin="1s" clipEnd="2.5s"/></par></body></smil>')
            with typeset.open(spoken) as book:
                clip, = book.typesetter().media_overlay(1)
            self.assertEqual((clip["text"], clip["audio"]), ("1", {"path": "OEBPS/spoken.mp3", "start": 1, "end": 2.5}))
            self.assertEqual(len(clip["places"]), 1)

    def test_places(self):
        page = list(self.book.pages())[4]
        line = page.text_layer["lines"][0]
        cfi = self.book.cfi(line["start"], line["end"])
        self.assertRegex(cfi, r"^epubcfi\(/6/.*,.*,.*\)$")
        self.assertEqual(self.book.range(cfi), (line["start"], line["end"]))
        self.assertEqual(self.book.range(self.book.cfi(line["end"])), (line["end"],) * 2)
        positions = self.book.positions
        self.assertEqual([position["number"] for position in positions], list(range(1, len(positions) + 1)))
        for position in positions:
            self.assertEqual(self.book.position(self.book.place(position["number"])), position)
        self.assertEqual(self.book.position(cfi)["chapter"], page.chapter)
        for failing in [lambda: self.book.cfi("99/0:0"), lambda: self.book.range("1/2:3"), lambda: self.book.place(0),
                        lambda: self.book.range("epubcfi(/6/400!/2)"), lambda: self.book.position("99/0:0")]:
            with self.assertRaises(typeset.TypesetError):
                failing()

    def test_places_that_no_book_has(self):
        typesetter = self.book.typesetter()
        page = next(typesetter.pages())
        for place in PLACES_NOWHERE:
            for ask in [typesetter.page_at, typesetter.note, self.book.cfi, self.book.position,
                        lambda place: self.book.link("a", place), lambda place: page.stretch(place, "1/0:0"),
                        lambda place: self.book.cfi("0/0:0", place), lambda place: typesetter.sentences(1, place)]:
                try:
                    ask(place)
                except typeset.TypesetError as error:
                    self.assertTrue(str(error))

    def test_annotations(self):
        page = list(self.book.pages())[4]
        line = next(line for line in page.text_layer["lines"] if len(line["words"]) > 10)
        marks = [{"start": line["start"], "end": line["end"], "style": style, "color": "#ff8800", **more}
                 for style, more in [("highlight", {}), ("underline", {"stroke": "wavy"}), ("note", {})]]
        plain = page.pixels().data
        for mark in marks:
            drawn = page.pixels(annotations=[mark])
            changed = [at // 4 // drawn.width for at in range(0, len(plain), 4)
                       if drawn.data[at:at + 4] != plain[at:at + 4]]
            x, y, width, height = line["rect"]
            self.assertTrue(changed and y - 20 < changed[0] and changed[-1] < y + height + 20)
            self.assertNotEqual(page.png(annotations=[mark]), page.png())
        self.assertEqual(page.png(annotations=[{**marks[0], "start": "0/0:0", "end": "0/0:0"}]), page.png())
        x, y, width, height = line["words"][0]["rect"]
        word = {"start": line["words"][0]["start"], "end": line["words"][0]["end"]}
        self.assertEqual(page.annotations_at([*marks, word], x + 1, y + height / 2), [word, *marks])
        self.assertEqual(page.annotations_at([*marks, word], -9, -9), [])

        said = {"text": "Mine", "created": "2026-01-01T00:00:00Z"}
        items = [{**mark, "id": f"urn:{mark['style']}", **said} for mark in marks[:2]]
        written = self.book.write_annotations({"id": "urn:set", "title": "Marks", "items": items})
        self.assertIn("epubcfi(", written)
        read = self.book.read_annotations(written)
        self.assertEqual((read["id"], read["title"], read["unresolved"]), ("urn:set", "Marks", []))
        # The W3C's form has no forms of lines.
        items[1]["stroke"] = "solid"
        self.assertEqual(read["items"], items)
        for failing in [lambda: page.png(annotations=[{"start": "x", "end": "y"}]), lambda: page.png(annotations=5),
                        lambda: page.pixels(annotations=[{**marks[0], "color": "red"}]),
                        lambda: self.book.write_annotations({}), lambda: self.book.read_annotations("{}")]:
            with self.assertRaises(typeset.TypesetError) as told:
                failing()
            self.assertEqual(told.exception.status, 1)
        for place in PLACES_NOWHERE:
            mark = {**items[0], "start": place}
            page.png(annotations=[mark])
            self.book.read_annotations(self.book.write_annotations({"id": "urn:set", "items": [mark]}))

    def test_drawings_of_earlier_headers(self):
        page = next(self.book.pages())
        pixels = (ctypes.c_char * (600 * 800 * 4))()
        first = _library.Drawing.annotations.offset
        drawing = _library.Drawing(first, annotations=b"not of that header")
        arguments = [page.pointer, ctypes.byref(drawing), pixels, len(pixels), None]
        self.assertEqual(_library.library.typeset_page_draw(*arguments), 0)
        drawing.size = first - 1
        self.assertEqual(_library.library.typeset_page_draw(*arguments), 10)

    def test_pdf(self):
        typesetter = self.book.typesetter()
        parts, told = [], []
        warnings = typesetter.pdf(parts.append, progress=lambda *reached: told.append(reached))
        self.assertEqual(warnings, [])
        self.assertEqual((parts[0][:5], b"".join(parts).rstrip()[-5:]), (b"%PDF-", b"%%EOF"))
        self.assertEqual(told[-1], (typesetter.page_count(), 4, 4))
        self.assertEqual(told, sorted(told))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "book.pdf"
            typesetter.save_pdf(path)
            self.assertTrue(path.read_bytes() == b"".join(parts))
            self.assertEqual(typesetter.save_pdf(path, creation_time=1700000000), [])
            dated = path.read_bytes()
            self.assertTrue(dated != b"".join(parts))
            typesetter.save_pdf(path, standards=["a2a", "ua1"])
            accessible = path.read_bytes()
            self.assertTrue(accessible not in (dated, b"".join(parts)))

            def stop(*_):
                raise KeyError("enough")

            for stopping in [lambda: typesetter.pdf(stop), lambda: typesetter.save_pdf(path, progress=stop)]:
                with self.assertRaises(KeyError):
                    stopping()
            self.assertEqual([file.name for file in path.parent.iterdir()], ["book.pdf"])
            self.assertTrue(path.read_bytes() == accessible)
        with typeset.open(b"<p><img src='a.png'>", name="a.html") as book:
            with self.assertRaises(typeset.TypesetError) as raised:
                book.typesetter().pdf(parts.append, standards=["ua1"])
            self.assertEqual(raised.exception.status, 3)

    def test_files_of_the_program(self):
        files = {str(path.relative_to(BOOK)): path.read_bytes() for path in BOOK.rglob("*") if path.is_file()}
        expected = next(self.book.pages()).png()
        with typeset.open(files) as book:
            self.assertEqual(book.title, self.book.title)
            self.assertEqual(next(book.pages()).png(), expected)

        class Stored:
            paths = list(files)
            asked = []

            def size(self, path):
                return len(files[path])

            def read(self, path):
                self.asked.append(path)
                if path.endswith(".css"):
                    raise OSError("the store does not answer")
                return files[path]

        stored = Stored()
        with typeset.open(stored, name="mine") as book:
            page = next(book.pages())
        # Its files are read as long as a page may ask for them.
        self.assertTrue(page.text and page.png() != expected)
        self.assertIn("META-INF/container.xml", stored.asked)
        del page
        with self.assertRaises(typeset.TypesetError):
            typeset.open({})

    def test_decryption(self):
        files = {str(path.relative_to(BOOK)): path.read_bytes() for path in BOOK.rglob("*") if path.is_file()}
        with typeset.open(files) as book:
            chapter = book.chapters[1]["href"]
        files[chapter] = bytes(255 - byte for byte in files[chapter]) + b"pad"
        files["META-INF/encryption.xml"] = f"""<encryption><EncryptedData><EncryptionMethod Algorithm="urn:mine"/>
            <CipherData><CipherReference URI="{chapter}"/></CipherData></EncryptedData></encryption>""".encode()

        def decrypt(path, algorithm, content):
            self.assertEqual((path, algorithm), (chapter, "urn:mine"))
            return bytes(255 - byte for byte in content[:-3])

        with typeset.open(files, decrypt=decrypt) as book:
            self.assertEqual(list(book.typesetter().search("lamp")), list(self.book.typesetter().search("lamp")))
        with self.assertRaises(typeset.TypesetError) as told:
            typeset.open(files)
        self.assertEqual((told.exception.status, told.exception.protection), (2, "unknown"))

    def test_chapter_patterns(self):
        text = "# One\nwords\n# Two\nwords\n".encode()
        with typeset.open(text, name="a.txt", chapter_patterns=["^# "]) as book:
            self.assertEqual([entry["title"] for entry in book.contents], ["# One", "# Two"])
        with self.assertRaises(typeset.TypesetError) as told:
            typeset.open(text, name="a.txt", chapter_patterns=["(a"])
        self.assertEqual((told.exception.status, told.exception.part), (10, "chapter_patterns"))

    def test_diagnostics(self):
        self.assertEqual(self.book.diagnostics, [])
        with typeset.open(b"<p>One<p><img src='none.png' alt='A map'>", name="a.html") as book:
            typesetter = book.typesetter()
            told, = typesetter.page(0, 0).diagnostics
            self.assertEqual(told["kind"], "imageUndecodable")
            self.assertEqual(typesetter.diagnostics(0), [told])
            with self.assertRaises(typeset.NoSuchPage):
                typesetter.diagnostics(1)

    def test_memory(self):
        pool = typeset.Pool(1, threads=2)
        typesetters = [self.book.typesetter(pool=pool) for _ in range(3)]
        pages = [typesetter.page(1, 1).png() for typesetter in typesetters]
        self.assertEqual(len(set(pages)), 1)
        usage = pool.usage
        self.assertEqual((usage["typesetters"], usage["layouts"]), (3, 1))
        self.assertGreaterEqual(usage["evictedLayouts"], 2)
        typesetters[2].release_memory()
        self.assertLess(typesetters[2].cached_bytes, 64)
        pool.release_memory()
        pool.close()
        self.assertEqual(typesetters[0].page(1, 1).png(), pages[0])
        with self.assertRaises(typeset.TypesetError):
            typeset.Pool(0)

    def test_directories(self):
        typesetter = self.book.typesetter()
        count = typesetter.page_count()
        again = self.book.typesetter(directory=typesetter.directory, cache_limit=8 << 20)
        self.assertEqual(again.estimate["total"], count)
        with self.assertRaises(typeset.TypesetError) as told:
            self.book.typesetter(directory="{")
        self.assertEqual(told.exception.part, "directory")

    def test_cancelling(self):
        with typeset.open(b"<p>Some words of a long book.</p>" * 20000, name="a.html") as book:
            typesetter = book.typesetter()
            done = threading.Event()

            def cancel():
                while not done.wait(0.001):
                    typesetter.cancel()

            other = threading.Thread(target=cancel)
            other.start()
            with self.assertRaises(typeset.Cancelled):
                typesetter.page_count(0)
            done.set()
            other.join()
            self.assertEqual(typesetter.page(0, 0).index, 0)

    def test_one_call_is_cancelled(self):
        with typeset.open(b"<p>Some words of a long book.</p>" * 20000, name="a.html") as book:
            typesetter, unbound = book.typesetter(), book.typesetter()
            cancellation = typeset.Cancellation()
            counted = []
            beside = threading.Thread(target=lambda: counted.append(unbound.page_count(0)))
            beside.start()
            threading.Timer(0.01, cancellation.request).start()
            with cancellation.bound(), self.assertRaises(typeset.Cancelled):
                for size in range(10, 100):
                    typesetter.apply(font_size=size)
                    typesetter.page_count(0)
            beside.join()
            self.assertGreater(counted[0], 100)
            with cancellation.bound(), self.assertRaises(typeset.Cancelled):
                typesetter.page(0, 1)
            self.assertEqual(typesetter.page(0, 1).index, 1)

    def test_spreads(self):
        typesetter = self.book.typesetter()
        spread = typesetter.spread(1, 1)
        outline = spread.outline
        self.assertEqual((outline["width"], outline["right"]["x"], outline["right"]["index"]), (1200, 600, 1))
        self.assertEqual((spread.left.index, spread.right.index), (0, 1))
        self.assertEqual(struct.unpack(">II", spread.png(1)[16:24]), (1200, 800))
        following = typesetter.next_spread(spread)
        self.assertEqual(typesetter.previous_spread(following).png(1), spread.png(1))
        self.assertEqual(typesetter.spread_at(spread.right.start).outline, outline)
        with self.assertRaises(typeset.NoSuchPage):
            typesetter.spread(99, 0)

    def test_errors(self):
        for source in ["/no/book.epub", b"PK\3\4", b"\x89PNG", b""]:
            with self.assertRaises(typeset.TypesetError) as told:
                typeset.open(source)
            self.assertTrue(str(told.exception))
        with self.assertRaises(typeset.TypesetError) as told:
            self.book.typesetter(font_size=1e9)
        self.assertEqual(told.exception.part, "fontSize")
        with self.assertRaises(typeset.TypesetError):
            self.book.typesetter(no_such_setting=1)
        for chapter, index in [(99, 0), (0, 999), (-1, 0)]:
            with self.assertRaises(typeset.NoSuchPage):
                self.book.typesetter().page(chapter, index)
        self.book.close()
        self.book.close()
        with self.assertRaises(ValueError):
            self.book.metadata

    def test_null(self):
        for name, (result, parameters) in _library._FUNCTIONS.items():
            if result is ctypes.c_int32:
                nothing = [0 if kind in NUMBERS else kind() if kind is _library.Write else None for kind in parameters]
                self.assertEqual(getattr(_library.library, name)(*nothing), 10, name)

    def test_threads(self):
        typesetter = self.book.typesetter()
        expected = typesetter.page(1, 1).png()
        found = []
        threads = [threading.Thread(target=lambda: found.append(typesetter.page(1, 1).png())) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [expected] * 8)

    def test_other_libraries_beside_it(self):
        # Their libxml2 and ICU may be others.
        for name in ["lxml.etree", "PIL.Image", "icu", "cairo"]:
            try:
                __import__(name)
            except ImportError:
                continue
        self.assertGreater(len(next(self.book.pages()).png()), 1000)
        self.assertNotIn("ssl", sys.modules)


if __name__ == "__main__":
    unittest.main()
