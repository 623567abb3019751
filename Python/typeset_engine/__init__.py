"""Books as pages.

    import typeset_engine as typeset

    with typeset.open("novel.epub") as book:
        for page in book.pages(size=(600, 800), theme="dark"):
            page.save(f"{page.number:04}.png")

Books are EPUBs, FictionBooks, MOBI and AZW3 books, pages of HTML, texts of Markdown and plain ones. All objects may be used from any
thread, and calls let other threads run: in asyncio they go into `asyncio.to_thread`. A process that has used the engine must not be
forked and go on with it; `multiprocessing` is to start its processes by `spawn` or `forkserver`.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import threading
import weakref
from ctypes import byref, c_size_t, c_void_p
from typing import Any, Callable, Iterator, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from . import _files
from ._files import Container, Decryption
from ._library import (
    FORMATS, PDF_STANDARDS, Cancelled, Drawing, NoSuchPage, PDFOptions, Progress, Superseded, TypesetError,
    TypesetterOptions, Write, call, data, handle, library, number, taken, text)

__all__ = ["Book", "Cancellation", "Cancelled", "Container", "Note", "NoSuchPage", "Page", "Pixels", "Pool", "Spread", "Superseded",
           "Typesetter", "TypesetError", "bound_memory", "open", "version"]
__version__ = version = library.typeset_version().decode()


def open(source: Union[str, os.PathLike, bytes, Mapping[str, bytes], Container], *, name: str = "book",
         encoding: Optional[str] = None, chapter_patterns: Sequence[str] = (),
         decrypt: Optional[Decryption] = None) -> "Book":
    """Opens a book: the path of a file or folder, the bytes of a file, or the files of an EPUB that the program reads:
    a mapping of paths to bytes, or a `Container`.

    name: of bytes, that tells a Markdown text from a plain one. encoding: of a text, where it is not to be found out.
    chapter_patterns: regular expressions that lines match which begin chapters of a plain text, the outermost level first.
    decrypt: gets the path, the algorithm's URL and the bytes of an encrypted file, and gives those before they were
    encrypted, or None where there is no key; threads of the library call it.
    """
    options = _files.options(encoding, chapter_patterns, decrypt)
    if isinstance(source, Mapping) or hasattr(source, "paths"):
        return Book(handle("typeset_open_files", byref(_files.files(source)), name.encode(), byref(options)))
    if isinstance(source, (bytes, bytearray, memoryview)):
        content = bytes(source)
        return Book(handle("typeset_open_memory", content, len(content), name.encode(), byref(options)))
    return Book(handle("typeset_open", os.fsencode(source), byref(options)))


def bound_memory() -> None:
    """Has the C library keep little of the memory that is given up, in all of the process: for programs that read book
    after book. To be called once, before the first one is opened."""
    library.typeset_bound_memory()


class _Handle:
    """What is released once: by `close`, at the end of `with`, or when nobody has it any more."""

    _free = ""

    def __init__(self, made: c_void_p):
        self._made = made
        self._finalizer = weakref.finalize(self, getattr(library, self._free), made)

    def close(self) -> None:
        """Releases it; nothing else may be called afterwards."""
        self._finalizer()

    @property
    def pointer(self) -> c_void_p:
        """For functions of typeset.h."""
        if not self._finalizer.alive:
            raise ValueError(f"the {type(self).__name__.lower()} is closed")
        return self._made

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Cancellation(_Handle):
    """An end to single calls with typesetters: those of the threads that it is bound to.

        cancellation = typeset.Cancellation()
        with cancellation.bound():          # in one thread
            typesetter.search("whale")      # raises Cancelled
        cancellation.request()              # in another one
    """

    _free = "typeset_cancellation_free"

    def __init__(self):
        super().__init__(handle("typeset_cancellation_new"))

    @contextlib.contextmanager
    def bound(self) -> Iterator[None]:
        """Binds it to the calling thread."""
        call("typeset_cancellation_bind", self)
        try:
            yield
        finally:
            library.typeset_cancellation_unbind()

    def request(self) -> None:
        """Ends the calls of all threads that it is bound to, and for good: later ones end as they begin."""
        call("typeset_cancellation_request", self)


def _settings(settings: dict) -> bytes:
    """Settings as JSON: `page_size` is `pageSize`, and `size` is short for it."""

    def named(key: str) -> str:
        first, *rest = ("page_size" if key == "size" else key).split("_")
        return first + "".join(part.capitalize() for part in rest)

    return json.dumps({named(key): value for key, value in settings.items()}).encode()


class Book(_Handle):
    """A book that has been opened."""

    _free = "typeset_book_free"

    @property
    def metadata(self) -> dict:
        """What the book says about itself: `title`, `creators`, `language`, `identifier` and others."""
        return json.loads(text("typeset_book_metadata", self))

    @property
    def title(self) -> str:
        return self.metadata["title"]

    @property
    def contents(self) -> list:
        """The table of contents: entries with `title`, `level`, and `href` and `chapter` where they lead somewhere."""
        return json.loads(text("typeset_book_contents", self))

    @property
    def chapters(self) -> list:
        """The reading order: documents with `href`, `mediaType`, `title`, `isLinear`, `rendition`."""
        return json.loads(text("typeset_book_chapters", self))

    def resource(self, path: str) -> bytes:
        """A file of the book."""
        return data("typeset_book_resource", self, path.encode(), before=(None,))

    def link(self, href: str, source: Optional[str] = None) -> str:
        """The place that a link leads to. source: that of the link; None for an entry of the contents."""
        return text("typeset_book_link", self, href.encode(), source and source.encode())

    def cfi(self, start: str, end: Optional[str] = None) -> str:
        """The EPUB CFI of a place, or of a range: for other reading systems and editions."""
        return text("typeset_book_cfi", self, start.encode(), end and end.encode())

    def range(self, cfi: str) -> Tuple[str, str]:
        """The places that an EPUB CFI leads from and to; the same for that of a place."""
        found = json.loads(text("typeset_book_range", self, cfi.encode()))
        return found["start"], found["end"]

    @property
    def positions(self) -> list:
        """The positions as Readium counts them: `number` (from 1), `chapter`, `progression`, `totalProgression`."""
        return json.loads(text("typeset_book_positions", self))

    def position(self, place: str) -> dict:
        """The position that a place or CFI belongs to."""
        return json.loads(text("typeset_book_position", self, place.encode()))

    def place(self, position: int) -> str:
        """The place of a position by its number."""
        return text("typeset_book_position_place", self, max(0, position))

    def write_annotations(self, annotations: dict) -> str:
        """An annotation set of the W3C for other reading systems, of a dictionary with `id` and `items`: annotations as
        `Page.png` draws them, with `id`, `text`, `created`."""
        return text("typeset_annotations_write", self, json.dumps(annotations).encode())

    def read_annotations(self, written: Union[str, bytes]) -> dict:
        """Reads an annotation set of the W3C: `items`, and in `unresolved` the ids of those that the book does not
        have."""
        return json.loads(
            text("typeset_annotations_read", self, written.encode() if isinstance(written, str) else written))

    @property
    def diagnostics(self) -> list:
        """Faults of the package: `code`, `part`, `line`, `message`."""
        return json.loads(text("typeset_book_diagnostics", self))

    def typesetter(self, *, directory: Optional[str] = None, cache_limit: int = 0, pool: Optional["Pool"] = None,
                   **settings: Any) -> "Typesetter":
        """A typesetter with these settings: `size`, `theme`, `font_size`, `margin_left` and others, as `Typesetter.settings` has
        them all.

        directory: where pages start, as `Typesetter.directory` has told. cache_limit: bytes that may be kept, 0 for 64
        MiB. pool: the pool whose budget it shares.
        """
        options = TypesetterOptions(ctypes.sizeof(TypesetterOptions), directory and directory.encode(), cache_limit,
                                    pool and pool.pointer)
        return Typesetter(handle("typeset_typesetter_new_with", self, _settings(settings), byref(options)), self)

    def pages(self, **settings: Any) -> Iterator["Page"]:
        """All pages in order, each made when it is asked for."""
        return self.typesetter(**settings).pages()


class Typesetter(_Handle):
    """Sets a book into pages, and keeps what it has made of the chapters used last."""

    _free = "typeset_typesetter_free"

    def __init__(self, made: c_void_p, book: Book):
        super().__init__(made)
        self.book = book

    @property
    def settings(self) -> dict:
        """All settings, by their names in JSON."""
        return json.loads(text("typeset_typesetter_settings", self))

    def apply(self, **settings: Any) -> None:
        """Sets the book anew; settings that are not named are as by default."""
        call("typeset_typesetter_apply", self, _settings(settings))

    @property
    def directory(self) -> str:
        """Where pages start, as far as that is known, to be kept beside the book: JSON."""
        return text("typeset_typesetter_directory", self)

    @property
    def cached_bytes(self) -> int:
        """Bytes that are kept of the book, about."""
        return library.typeset_typesetter_cached_bytes(self.pointer)

    def release_memory(self) -> None:
        """Gives up what is kept of the book; it is made again when it is asked for."""
        call("typeset_typesetter_release_memory", self)

    def cancel(self) -> None:
        """Ends the calls of other threads that are at work: they raise `Cancelled`."""
        call("typeset_typesetter_cancel", self)

    def diagnostics(self, chapter: int) -> list:
        """What cannot be shown of a chapter, which is laid out for it: as `Page.diagnostics`."""
        return json.loads(text("typeset_diagnostics", self, chapter))

    def spread(self, chapter: int, index: int) -> "Spread":
        """The spread that shows a page of a chapter. Raises NoSuchPage."""
        if chapter < 0 or index < 0:
            raise NoSuchPage(9, "", "the book has no such page")
        return Spread(handle("typeset_spread_at", self, chapter, index))

    def spread_at(self, place: str) -> "Spread":
        """The spread that shows a place, as for `page_at`."""
        return Spread(handle("typeset_spread_at_place", self, place.encode()))

    def next_spread(self, spread: "Spread") -> "Spread":
        """The spread behind another one. Raises NoSuchPage at the book's end."""
        return Spread(handle("typeset_spread_next", self, spread))

    def previous_spread(self, spread: "Spread") -> "Spread":
        """The spread before another one. Raises NoSuchPage at the book's start."""
        return Spread(handle("typeset_spread_previous", self, spread))

    def page(self, chapter: int, index: int) -> "Page":
        """A page of a chapter, both from 0. Raises NoSuchPage."""
        if chapter < 0 or index < 0:
            raise NoSuchPage(9, "", "the book has no such page")
        return Page(handle("typeset_page_at", self, chapter, index))

    def page_at(self, place: str) -> "Page":
        """The page of a place: `Page.start`, the `start` of a word or of what was found, or an EPUB CFI."""
        return Page(handle("typeset_page_at_place", self, place.encode()))

    def next(self, page: "Page") -> "Page":
        """The page behind another one. Raises NoSuchPage at the book's end."""
        return Page(handle("typeset_page_next", self, page), page.number and page.number + 1)

    def previous(self, page: "Page") -> "Page":
        """The page before another one. Raises NoSuchPage at the book's start."""
        return Page(handle("typeset_page_previous", self, page), page.number and page.number - 1)

    def pages(self) -> Iterator["Page"]:
        """All pages in order, each made when it is asked for."""
        try:
            page = Page(handle("typeset_page_first", self), 1)
            while True:
                yield page
                page = self.next(page)
        except NoSuchPage:
            return

    def page_count(self, chapter: Optional[int] = None) -> int:
        """The pages of a chapter, or of the book, which are laid out for it."""
        if chapter is None:
            return number("typeset_page_count_all", self)
        return number("typeset_page_count", self, chapter)

    @property
    def estimate(self) -> dict:
        """What is known of the number of pages: `total` (once all are counted), `likely`, `least`, `most`, `isReliable`,
        `chapters`. Nothing is laid out."""
        return json.loads(text("typeset_page_estimate", self))

    def sentences(self, chapter: int, start: Optional[str] = None) -> list:
        """The sentences of a chapter, or those from a place on: `text`, `start`, `end`, `language`, and `places`: for
        each page `page`, `start`, `rectangles`."""
        return json.loads(text("typeset_sentences", self, chapter, start and start.encode()))

    def media_overlay(self, chapter: int) -> list:
        """The clips of the recording that comes with a chapter: as sentences, with `audio`: `path`, `start`, `end`."""
        return json.loads(text("typeset_media_overlay", self, chapter))

    def note(self, mark: str, width: float = 400, scale: float = 0) -> "Note":
        """The note that a mark leads to, set by itself. mark: the `source` of a link or picture of a page."""
        made = c_void_p()
        picture = data("typeset_note", self, mark.encode(), width, scale, byref(made))
        return Note(**json.loads(taken(made)), png=picture)

    def pdf(self, write: Callable[[bytes], Any], *, standards: Sequence[str] = ("a2u",),
            creation_time: Optional[int] = None,
            progress: Optional[Callable[[int, int, int], Any]] = None) -> list:
        """Sets the whole book as a PDF, and gives its warnings: `code`, `part`, `line`, `message`.

        write: takes its bytes, part by part. standards: `a2u`, `a2a`, `ua1`. creation_time: seconds since 1970, for a
        file that tells when it was made. progress: is told complete pages, complete chapters and the number of
        chapters. What either of them raises stops the work and is raised again; they are called by other threads, one
        at a time.
        """
        failures: list = []

        def guarded(function, *arguments) -> int:
            try:
                function(*arguments)
            except BaseException as failure:  # It belongs to who asked for the PDF.
                failures.append(failure)
            return len(failures)

        options = PDFOptions(ctypes.sizeof(PDFOptions), sum({PDF_STANDARDS[name] for name in standards}),
                             creation_time or 0)
        if progress:
            options.progress = Progress(lambda _, *reached: guarded(progress, *reached))
        take = Write(lambda _, start, count: guarded(lambda: write(ctypes.string_at(start, count))))
        warnings = c_void_p()
        try:
            call("typeset_pdf", self, byref(options), take, None, byref(warnings))
        except TypesetError:
            if failures:
                raise failures[0]
            raise
        return json.loads(taken(warnings))

    def save_pdf(self, path: Union[str, os.PathLike], **options: Any) -> list:
        """Writes the whole book as a PDF, with the options of `pdf`, and gives its warnings. The file has its name when
        it is whole."""
        draft = f"{os.fspath(path)}.{os.getpid()}-{threading.get_ident()}"
        with io_open(draft, "xb") as file:
            try:
                warnings = self.pdf(file.write, **options)
                file.close()
                os.replace(draft, path)
            except BaseException:
                os.unlink(draft)
                raise
        return warnings

    def search(self, phrase: str, *, exact: bool = False, whole_words: bool = False) -> Iterator[dict]:
        """Finds a phrase, chapter by chapter as it is asked for: dictionaries with `start`, `end`, `before`, `match`, `after`.

        exact: case, accents, width and other forms count.
        """
        options = (0 if exact else 127) | (128 if whole_words else 0)
        for chapter in range(library.typeset_book_chapter_count(self.book.pointer)):
            yield from json.loads(text("typeset_search", self, phrase.encode(), options, chapter))


class Pool(_Handle):
    """Typesetters that share one budget: `memory` bytes, and `threads` chapters set at the same time, 0 for as many as
    are asked for."""

    _free = "typeset_pool_free"

    def __init__(self, memory: int, threads: int = 0):
        super().__init__(handle("typeset_pool_new", memory, threads))

    @property
    def usage(self) -> dict:
        """What it holds: `typesetters`, `layouts`, `bytes`; and what went: `evictedLayouts`, `evictedBooks`."""
        return json.loads(text("typeset_pool_usage", self))

    def release_memory(self) -> None:
        """Gives up all that its typesetters keep."""
        call("typeset_pool_release_memory", self)


class Spread(_Handle):
    """One page, or two that face each other."""

    _free = "typeset_spread_free"

    @property
    def outline(self) -> dict:
        """Where its pages stand: `width`, `height`, `left` and `right` (`chapter`, `index`, `x`, `y`), `isCentered`,
        `isRightToLeft`."""
        return json.loads(text("typeset_spread_outline", self))

    def _page(self, side: int) -> Optional["Page"]:
        try:
            return Page(handle("typeset_spread_page", self, side))
        except NoSuchPage:
            return None

    @property
    def left(self) -> Optional["Page"]:
        """None where that side is empty."""
        return self._page(0)

    @property
    def right(self) -> Optional["Page"]:
        """None where that side is empty."""
        return self._page(1)

    def png(self, scale: float = 0, annotations: Sequence[dict] = ()) -> bytes:
        """Both pages as one PNG file; otherwise as `Page.png`."""
        return data("typeset_spread_png", self, scale, json.dumps(annotations).encode())


class Note(NamedTuple):
    """A note set by itself: the place it is from, its text, its size in CSS px, and its picture."""

    source: str
    text: str
    width: float
    height: float
    png: bytes


class Pixels:
    """Pixels of a page, row by row: a buffer, and an array for numpy without a copy (`numpy.asarray(pixels)`)."""

    def __init__(self, data: bytearray, width: int, height: int, format: str):
        self.data = data
        self.width = width
        self.height = height
        self.format = format

    @property
    def __array_interface__(self) -> dict:
        channels = () if self.format == "gray" else (4,)
        return {"version": 3, "typestr": "|u1", "shape": (self.height, self.width) + channels, "data": self.data}


class Page(_Handle):
    """A page that has been made. Lengths are CSS px from its top left corner."""

    _free = "typeset_page_free"

    def __init__(self, made: c_void_p, number: Optional[int] = None):
        super().__init__(made)
        #: Among the pages that were gone through, from 1; None for a page that was asked for by itself.
        self.number = number

    @property
    def chapter(self) -> int:
        """From 0."""
        return library.typeset_page_chapter(self.pointer)

    @property
    def index(self) -> int:
        """In its chapter, from 0."""
        return library.typeset_page_index(self.pointer)

    @property
    def size(self) -> Tuple[float, float]:
        """Width and height in CSS px."""
        return library.typeset_page_width(self.pointer), library.typeset_page_height(self.pointer)

    @property
    def start(self) -> str:
        """The first place on the page: to be saved as the reader's."""
        return text("typeset_page_start", self)

    @property
    def text_layer(self) -> dict:
        """What stands on the page: `lines` with their `words`, `links`, `pictures`, each with its `rect`."""
        return json.loads(text("typeset_page_text", self))

    def display_list(self, annotations: Sequence[dict] = ()) -> dict:
        """The drawing of the page, to be drawn by other means than `png`: `width`, `height`, `background` and `items`, the lowest
        first, each with its `kind`, as typeset.h describes them. Numbers of fonts, glyphs and images are those of `face`,
        `glyph_outline`, `glyph_picture`, `image_file` and `image_png`."""
        return json.loads(text("typeset_page_display_list", self, json.dumps(list(annotations)).encode()))

    def face(self, font: int) -> dict:
        """A font of the display list: `family`, `style`, `weight`, and `hasColor` where glyphs may have a picture."""
        return json.loads(text("typeset_page_face", self, font))

    def glyph_outline(self, font: int, glyph: int) -> str:
        """The outline of a glyph as path data of SVG, in ems from its origin, downwards; empty for one without ink."""
        return text("typeset_page_glyph_outline", self, font, glyph)

    def glyph_picture(
        self, font: int, glyph: int, pixels_per_em: int, color: str = "#000000"
    ) -> Tuple[bytes, Tuple[float, float, float, float]]:
        """The picture of a glyph that has colours of its own, as a PNG file, and x, y, width and height of it in ems."""
        box = (ctypes.c_double * 4)()
        file = data("typeset_page_glyph_picture", self, font, glyph, pixels_per_em, color.encode(), before=(box,))
        return file, tuple(box)

    def image_file(self, image: int) -> Tuple[bytes, str]:
        """The file of an image as the book has it, and its media type."""
        media_type = ctypes.c_void_p()
        file = data("typeset_page_image_file", self, image, before=(ctypes.byref(media_type),))
        return file, taken(media_type)

    def image_png(self, image: int, width: int, height: int) -> bytes:
        """An image, or a drawing, stretched to a size in pixels, as a PNG file."""
        return data("typeset_page_image_png", self, image, width, height)

    @property
    def structure(self) -> dict:
        """What is on the page and what it is: `language`, and `nodes`, each with its `role` and its `children`."""
        return json.loads(text("typeset_page_structure", self))

    @property
    def diagnostics(self) -> list:
        """What cannot be shown of it: `kind` (`fontMissing`, `decoderMissing`, `imageUndecodable`), `place`, `message`."""
        return json.loads(text("typeset_page_diagnostics", self))

    def hit(self, x: float, y: float) -> dict:
        """What is at a point: `place`, `word`, `sentence`, `line` (`start`, `end`, `text`, `rectangles`), and `link` and
        `picture` where it lies in one."""
        return json.loads(text("typeset_page_hit", self, x, y))

    def stretch(self, start: str, end: str) -> dict:
        """The text between two places, and where it stands on the page: `start`, `end`, `text`, `rectangles`."""
        return json.loads(text("typeset_page_stretch", self, start.encode(), end.encode()))

    @property
    def text(self) -> str:
        """The lines of text."""
        return "\n".join(line["text"] for line in self.text_layer["lines"])

    def png(self, scale: float = 0, annotations: Sequence[dict] = ()) -> bytes:
        """The page as a PNG file.

        scale: pixels per CSS px, 0 for that of the settings. annotations: what to draw over it: `style` (`highlight`,
        `underline` with its `stroke`, `note`), `start`, `end`, `color` (`#rrggbb`).
        """
        return data("typeset_page_png_annotated", self, scale, json.dumps(annotations).encode())

    def save(self, path: Union[str, os.PathLike], scale: float = 0, annotations: Sequence[dict] = ()) -> None:
        """Writes the page as a PNG file."""
        content = self.png(scale, annotations)
        with io_open(path, "wb") as file:
            file.write(content)

    def annotations_at(self, annotations: Sequence[dict], x: float, y: float) -> list:
        """Those of some annotations that lie at a point, the shortest first."""
        found = json.loads(text("typeset_page_annotations_at", self, json.dumps(annotations).encode(), x, y))
        return [annotations[index] for index in found]

    def pixels(self, format: str = "rgba", scale: float = 0, clip: Optional[Tuple[int, int, int, int]] = None,
               annotations: Sequence[dict] = ()) -> Pixels:
        """The pixels of the page, or of a part of it: x, y, width and height in pixels.

        format: `rgba`, `bgra` or `gray`. annotations: what to draw over it, as for `png`.
        """
        if format not in FORMATS:
            raise ValueError(f"there is no format {format}")
        if clip is None:
            width, height = c_size_t(), c_size_t()
            call("typeset_page_pixel_size", self, scale, byref(width), byref(height))
            clip = (0, 0, width.value, height.value)
        elif min(clip) < 0 or min(clip[2:]) == 0:
            raise ValueError("the clip is empty or reaches over the page")
        memory = bytearray(clip[2] * clip[3] * (1 if format == "gray" else 4))
        drawing = Drawing(ctypes.sizeof(Drawing), scale, FORMATS[format], 0, *clip, json.dumps(annotations).encode())
        room = (ctypes.c_char * len(memory)).from_buffer(memory)
        call("typeset_page_draw", self, byref(drawing), room, len(memory))
        return Pixels(memory, clip[2], clip[3], format)

    def image(self, scale: float = 0):
        """The page as an image of Pillow, which has to be installed."""
        from PIL import Image

        pixels = self.pixels("rgba", scale)
        return Image.frombuffer("RGBA", (pixels.width, pixels.height), pixels.data, "raw", "RGBA", 0, 1)

    def _repr_png_(self) -> bytes:
        return self.png()


# The name is this module's function.
from io import open as io_open  # noqa: E402
