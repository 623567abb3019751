"""The module typeset_engine, as it is installed."""

import pathlib
import struct
import sys
import tempfile
import threading
import unittest

import typeset_engine as typeset

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

    def test_the_structure_of_a_page(self):
        with typeset.open("# Title\n\nOne *two* three".encode(), name="text.md") as book:
            heading, paragraph = next(book.pages()).structure["nodes"]
            self.assertEqual((heading["role"], heading["level"], heading["children"][0]["text"]), ("heading", 1, "Title"))
            self.assertEqual(paragraph["role"], "paragraph")

    def test_pages_in_order(self):
        typesetter = self.book.typesetter(size=(300, 400), font_size=14)
        pages = list(typesetter.pages())
        self.assertEqual([page.number for page in pages], list(range(1, typesetter.page_count() + 1)))
        self.assertTrue(typesetter.estimate["isExact"])
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
