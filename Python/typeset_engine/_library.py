"""The functions of typeset.h by ctypes, which gives up the interpreter's lock in every call."""

import ctypes
import os
import pathlib
from ctypes import CFUNCTYPE, POINTER, byref, c_char_p, c_double, c_int32, c_int64, c_size_t, c_uint32, c_void_p

OK = 0
INTERRUPTED = 8
NO_SUCH_PAGE = 9
SUPERSEDED = 12
PDF_STANDARDS = {"a2u": 1, "a2a": 2, "ua1": 4}
FORMATS = {"bgra": 0, "rgba": 1, "gray": 2}


# Called by threads of the library.
Decrypt = CFUNCTYPE(c_int32, c_void_p, c_char_p, c_char_p, c_void_p, c_size_t, c_void_p, POINTER(c_size_t))
FileSize = CFUNCTYPE(c_int64, c_void_p, c_char_p)
FileRead = CFUNCTYPE(c_int32, c_void_p, c_char_p, c_void_p, c_size_t)
Release = CFUNCTYPE(None, c_void_p)


class OpenOptions(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("encoding", c_char_p), ("decrypt", Decrypt), ("context", c_void_p),
                ("release", Release), ("chapter_patterns", c_char_p)]


class Files(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("paths", c_char_p), ("file_size", FileSize), ("file_read", FileRead),
                ("context", c_void_p), ("release", Release)]


class TypesetterOptions(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("directory", c_char_p), ("cache_limit", c_size_t), ("pool", c_void_p)]


class Drawing(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("scale", c_double), ("format", c_int32), ("stride", c_size_t), ("x", c_size_t),
                ("y", c_size_t), ("width", c_size_t), ("height", c_size_t), ("annotations", c_char_p)]


Progress = CFUNCTYPE(c_int32, c_void_p, c_size_t, c_size_t, c_size_t)
Write = CFUNCTYPE(c_int32, c_void_p, c_void_p, c_size_t)


class PDFOptions(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("standards", c_uint32), ("creation_time", c_int64), ("progress", Progress),
                ("context", c_void_p)]


STRUCTS = {"typeset_open_options": OpenOptions, "typeset_files": Files, "typeset_typesetter_options": TypesetterOptions,
           "typeset_drawing": Drawing, "typeset_pdf_options": PDFOptions}

# Result and parameters of each function that is used; those that may fail end with a place for the error.
_PLACE, _TEXT, _COUNT = POINTER(c_void_p), POINTER(c_void_p), POINTER(c_size_t)
_FUNCTIONS = {
    "typeset_version": (c_char_p, []),
    "typeset_error_message": (c_char_p, [c_void_p]),
    "typeset_error_part": (c_char_p, [c_void_p]),
    "typeset_error_protection": (c_char_p, [c_void_p]),
    "typeset_error_free": (None, [c_void_p]),
    "typeset_free": (None, [c_void_p]),
    "typeset_open": (c_int32, [c_char_p, POINTER(OpenOptions), _PLACE, _PLACE]),
    "typeset_open_memory": (c_int32, [c_char_p, c_size_t, c_char_p, POINTER(OpenOptions), _PLACE, _PLACE]),
    "typeset_open_files": (c_int32, [POINTER(Files), c_char_p, POINTER(OpenOptions), _PLACE, _PLACE]),
    "typeset_book_diagnostics": (c_int32, [c_void_p, _TEXT, _PLACE]),
    "typeset_pool_new": (c_int32, [c_size_t, c_size_t, _PLACE, _PLACE]),
    "typeset_pool_free": (None, [c_void_p]),
    "typeset_pool_usage": (c_int32, [c_void_p, _TEXT, _PLACE]),
    "typeset_pool_release_memory": (c_int32, [c_void_p, _PLACE]),
    "typeset_bound_memory": (None, []),
    "typeset_book_free": (None, [c_void_p]),
    "typeset_book_chapter_count": (c_size_t, [c_void_p]),
    "typeset_book_metadata": (c_int32, [c_void_p, _TEXT, _PLACE]),
    "typeset_book_contents": (c_int32, [c_void_p, _TEXT, _PLACE]),
    "typeset_book_chapters": (c_int32, [c_void_p, _TEXT, _PLACE]),
    "typeset_book_resource": (c_int32, [c_void_p, c_char_p, _TEXT, _COUNT, _TEXT, _PLACE]),
    "typeset_typesetter_new_with": (c_int32, [c_void_p, c_char_p, POINTER(TypesetterOptions), _PLACE, _PLACE]),
    "typeset_typesetter_directory": (c_int32, [c_void_p, _TEXT, _PLACE]),
    "typeset_typesetter_cancel": (c_int32, [c_void_p, _PLACE]),
    "typeset_cancellation_new": (c_int32, [_PLACE, _PLACE]),
    "typeset_cancellation_bind": (c_int32, [c_void_p, _PLACE]),
    "typeset_cancellation_unbind": (None, []),
    "typeset_cancellation_request": (c_int32, [c_void_p, _PLACE]),
    "typeset_cancellation_free": (None, [c_void_p]),
    "typeset_typesetter_cached_bytes": (c_size_t, [c_void_p]),
    "typeset_typesetter_release_memory": (c_int32, [c_void_p, _PLACE]),
    "typeset_typesetter_free": (None, [c_void_p]),
    "typeset_typesetter_settings": (c_int32, [c_void_p, _TEXT, _PLACE]),
    "typeset_typesetter_apply": (c_int32, [c_void_p, c_char_p, _PLACE]),
    "typeset_page_count": (c_int32, [c_void_p, c_size_t, _COUNT, _PLACE]),
    "typeset_page_count_all": (c_int32, [c_void_p, _COUNT, _PLACE]),
    "typeset_page_estimate": (c_int32, [c_void_p, _TEXT, _PLACE]),
    "typeset_page_first": (c_int32, [c_void_p, _PLACE, _PLACE]),
    "typeset_page_at": (c_int32, [c_void_p, c_size_t, c_size_t, _PLACE, _PLACE]),
    "typeset_page_next": (c_int32, [c_void_p, c_void_p, _PLACE, _PLACE]),
    "typeset_page_previous": (c_int32, [c_void_p, c_void_p, _PLACE, _PLACE]),
    "typeset_page_at_place": (c_int32, [c_void_p, c_char_p, _PLACE, _PLACE]),
    "typeset_page_free": (None, [c_void_p]),
    "typeset_page_chapter": (c_size_t, [c_void_p]),
    "typeset_page_index": (c_size_t, [c_void_p]),
    "typeset_page_width": (c_double, [c_void_p]),
    "typeset_page_height": (c_double, [c_void_p]),
    "typeset_page_start": (c_int32, [c_void_p, _TEXT, _PLACE]),
    "typeset_page_png": (c_int32, [c_void_p, c_double, _TEXT, _COUNT, _PLACE]),
    "typeset_page_png_annotated": (c_int32, [c_void_p, c_double, c_char_p, _TEXT, _COUNT, _PLACE]),
    "typeset_page_pixel_size": (c_int32, [c_void_p, c_double, _COUNT, _COUNT, _PLACE]),
    "typeset_page_draw": (c_int32, [c_void_p, POINTER(Drawing), c_void_p, c_size_t, _PLACE]),
    "typeset_page_display_list": (c_int32, [c_void_p, c_char_p, _TEXT, _PLACE]),
    "typeset_page_face": (c_int32, [c_void_p, c_uint32, _TEXT, _PLACE]),
    "typeset_page_glyph_outline": (c_int32, [c_void_p, c_uint32, c_uint32, _TEXT, _PLACE]),
    "typeset_page_glyph_picture": (
        c_int32, [c_void_p, c_uint32, c_uint32, c_uint32, c_char_p, _TEXT, _COUNT, POINTER(c_double), _PLACE]),
    "typeset_page_image_file": (c_int32, [c_void_p, c_uint32, _TEXT, _COUNT, _TEXT, _PLACE]),
    "typeset_page_image_png": (c_int32, [c_void_p, c_uint32, c_size_t, c_size_t, _TEXT, _COUNT, _PLACE]),
    "typeset_page_text": (c_int32, [c_void_p, _TEXT, _PLACE]),
    "typeset_page_structure": (c_int32, [c_void_p, _TEXT, _PLACE]),
    "typeset_page_diagnostics": (c_int32, [c_void_p, _TEXT, _PLACE]),
    "typeset_diagnostics": (c_int32, [c_void_p, c_size_t, _TEXT, _PLACE]),
    "typeset_spread_at": (c_int32, [c_void_p, c_size_t, c_size_t, _PLACE, _PLACE]),
    "typeset_spread_at_place": (c_int32, [c_void_p, c_char_p, _PLACE, _PLACE]),
    "typeset_spread_next": (c_int32, [c_void_p, c_void_p, _PLACE, _PLACE]),
    "typeset_spread_previous": (c_int32, [c_void_p, c_void_p, _PLACE, _PLACE]),
    "typeset_spread_free": (None, [c_void_p]),
    "typeset_spread_page": (c_int32, [c_void_p, c_int32, _PLACE, _PLACE]),
    "typeset_spread_outline": (c_int32, [c_void_p, _TEXT, _PLACE]),
    "typeset_spread_png": (c_int32, [c_void_p, c_double, c_char_p, _TEXT, _COUNT, _PLACE]),
    "typeset_page_hit": (c_int32, [c_void_p, c_double, c_double, _TEXT, _PLACE]),
    "typeset_page_stretch": (c_int32, [c_void_p, c_char_p, c_char_p, _TEXT, _PLACE]),
    "typeset_sentences": (c_int32, [c_void_p, c_size_t, c_char_p, _TEXT, _PLACE]),
    "typeset_media_overlay": (c_int32, [c_void_p, c_size_t, _TEXT, _PLACE]),
    "typeset_book_link": (c_int32, [c_void_p, c_char_p, c_char_p, _TEXT, _PLACE]),
    "typeset_note": (c_int32, [c_void_p, c_char_p, c_double, c_double, _TEXT, _TEXT, _COUNT, _PLACE]),
    "typeset_book_cfi": (c_int32, [c_void_p, c_char_p, c_char_p, _TEXT, _PLACE]),
    "typeset_book_range": (c_int32, [c_void_p, c_char_p, _TEXT, _PLACE]),
    "typeset_book_positions": (c_int32, [c_void_p, _TEXT, _PLACE]),
    "typeset_book_position": (c_int32, [c_void_p, c_char_p, _TEXT, _PLACE]),
    "typeset_book_position_place": (c_int32, [c_void_p, c_size_t, _TEXT, _PLACE]),
    "typeset_page_annotations_at": (c_int32, [c_void_p, c_char_p, c_double, c_double, _TEXT, _PLACE]),
    "typeset_annotations_write": (c_int32, [c_void_p, c_char_p, _TEXT, _PLACE]),
    "typeset_annotations_read": (c_int32, [c_void_p, c_char_p, _TEXT, _PLACE]),
    "typeset_pdf": (c_int32, [c_void_p, POINTER(PDFOptions), Write, c_void_p, _TEXT, _PLACE]),
    "typeset_search": (c_int32, [c_void_p, c_char_p, c_uint32, c_size_t, _TEXT, _PLACE]),
}


def _load():
    beside = pathlib.Path(__file__).with_name("libtypeset.so.1")
    name = os.environ.get("TYPESET_LIBRARY") or (str(beside) if beside.exists() else "libtypeset.so.1")
    loaded = ctypes.CDLL(name)
    for function, (result, parameters) in _FUNCTIONS.items():
        entry = getattr(loaded, function)
        entry.restype, entry.argtypes = result, parameters
    return loaded


library = _load()


class TypesetError(Exception):
    """A call of the engine that failed.

    status: the number of typeset.h. part: a path in the book, that of the file, or the name of a setting; "" where there is none.
    protection: of a book that cannot be opened for it (`lcp`, `adobe`, `apple`, `amazon`, `password`, `unknown`), else "".
    """

    def __init__(self, status: int, part: str, message: str, protection: str = ""):
        super().__init__(f"{part}: {message}" if part else message)
        self.status = status
        self.part = part
        self.protection = protection


class NoSuchPage(TypesetError, LookupError):
    """The book has no such page or chapter."""


class Cancelled(TypesetError):
    """Another thread has cancelled the call, or a function of the caller's has stopped it."""


class Superseded(TypesetError):
    """Another thread has changed the settings meanwhile: ask again."""


_ERRORS = {NO_SUCH_PAGE: NoSuchPage, INTERRUPTED: Cancelled, SUPERSEDED: Superseded}


def call(function: str, *arguments):
    """Calls a function that may fail; of objects with a handle it gets that."""
    error = c_void_p()
    pointers = (argument.pointer if hasattr(argument, "pointer") else argument for argument in arguments)
    status = getattr(library, function)(*pointers, byref(error))
    if status == OK:
        return
    part = (library.typeset_error_part(error) or b"").decode()
    message = (library.typeset_error_message(error) or b"").decode()
    protection = (library.typeset_error_protection(error) or b"").decode()
    library.typeset_error_free(error)
    raise _ERRORS.get(status, TypesetError)(status, part, message, protection)


def handle(function: str, *arguments) -> c_void_p:
    """The handle that a function gives."""
    made = c_void_p()
    call(function, *arguments, byref(made))
    return made


def taken(made: c_void_p) -> str:
    """Text that a function has given, which is released."""
    try:
        return ctypes.cast(made, c_char_p).value.decode()
    finally:
        library.typeset_free(made)


def text(function: str, *arguments) -> str:
    """The text that a function gives."""
    made = c_void_p()
    call(function, *arguments, byref(made))
    return taken(made)


def data(function: str, *arguments, before=()) -> bytes:
    """The bytes that a function gives; `before` are arguments between these and the error."""
    made, count = c_void_p(), c_size_t()
    call(function, *arguments, byref(made), byref(count), *before)
    try:
        return ctypes.string_at(made, count.value)
    finally:
        library.typeset_free(made)


def number(function: str, *arguments) -> int:
    """The number that a function gives."""
    made = c_size_t()
    call(function, *arguments, byref(made))
    return made.value
