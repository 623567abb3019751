"""Functions of the program's that the library calls: it reads files by them, and decrypts."""

import ctypes
import itertools
import json
import threading
from typing import Callable, Mapping, Optional, Protocol, Sequence, Union

from ._library import Decrypt, FileRead, Files, FileSize, OpenOptions, Release

Decryption = Callable[[str, str, bytes], Optional[bytes]]


class Container(Protocol):
    """The files of an EPUB, read by the program. Functions are called by threads of the library, several at once."""

    @property
    def paths(self) -> Sequence[str]:
        """The paths of all files from the book's root."""

    def size(self, path: str) -> Optional[int]:
        """The size of a file in bytes; None where there is none."""

    def read(self, path: str) -> bytes:
        """The bytes of a file; what it raises makes the file a missing part of the book."""


class _Mapped:
    """Files in memory, or in anything else that is a mapping of paths to bytes."""

    def __init__(self, files: Mapping[str, bytes]):
        self.read = files.__getitem__
        self.paths = list(files)
        self._sizes: dict = {}

    def size(self, path: str) -> Optional[int]:
        if path not in self._sizes:
            self._sizes[path] = len(self.read(path))
        return self._sizes[path]


# What the library may still call, by its context; functions of ctypes live as long as they are here.
_called: dict = {}
_numbers = itertools.count(1)
_lock = threading.Lock()


@Release
def _released(context) -> None:
    with _lock:
        _called.pop(context, None)


def _kept(*functions) -> int:
    with _lock:
        number = next(_numbers)
        _called[number] = functions
    return number


def options(encoding: Optional[str], chapter_patterns: Sequence[str], decrypt: Optional[Decryption]) -> OpenOptions:
    """How a book is opened."""
    made = OpenOptions(ctypes.sizeof(OpenOptions), encoding.encode() if encoding else None)
    if chapter_patterns:
        made.chapter_patterns = json.dumps(list(chapter_patterns)).encode()
    if decrypt is None:
        return made

    def decrypted(_, path, algorithm, start, count, plain, plain_count) -> int:
        try:
            content = decrypt(path.decode(), algorithm.decode(), ctypes.string_at(start, count))
        except Exception:  # Nobody is there to take it: the file has no key.
            return 1
        if content is None or len(content) > count:
            return 1
        ctypes.memmove(plain, content, len(content))
        plain_count[0] = len(content)
        return 0

    made.decrypt = Decrypt(decrypted)
    made.context = _kept(made.decrypt)
    made.release = _released
    return made


def files(container: Union[Container, Mapping[str, bytes]]) -> Files:
    """The files of a container for the library."""
    own = _Mapped(container) if isinstance(container, Mapping) else container

    def size(_, path) -> int:
        try:
            count = own.size(path.decode())
        except Exception:
            return -1
        return -1 if count is None else count

    def read(_, path, start, count) -> int:
        try:
            content = own.read(path.decode())
        except Exception:
            return 1
        if len(content) != count:
            return 1
        ctypes.memmove(start, bytes(content), count)
        return 0

    made = Files(ctypes.sizeof(Files), json.dumps(list(own.paths)).encode(), FileSize(size), FileRead(read))
    made.context = _kept(made.file_size, made.file_read)
    made.release = _released
    return made
