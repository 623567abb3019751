import com.sun.jna.Callback;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.Structure;
import com.sun.jna.Structure.FieldOrder;
import com.sun.jna.ptr.LongByReference;
import com.sun.jna.ptr.PointerByReference;
import java.util.Map;

/**
 * The functions of typeset.h by JNA, written by Scripts/java-bindings.py. A size_t is a long: the library is for
 * 64-bit systems. What is told of threads, ownership and errors at the beginning of typeset.h holds.
 */
interface TypesetLibrary extends Library {
  /** The library that the system finds, or the folder that the property jna.library.path names. */
  TypesetLibrary INSTANCE =
      Native.load("libtypeset.so.1", TypesetLibrary.class, Map.of(Library.OPTION_STRING_ENCODING, "UTF-8"));

  /**
   * The version of the library, such as "0.1.0". It is the library's and is not released. Any
   * thread; cannot fail.
   */
  String typeset_version();

  /** Whether the library is of this version or a later one: 1 or 0. Any thread; cannot fail. */
  int typeset_version_atleast(int major, int minor, int patch);

  int TYPESET_OK = 0;
  /**
   * The input is no book that can be read, or a text of the caller's is not what it has to be
   * (JSON, places).
   */
  int TYPESET_UNREADABLE = 1;
  /** The book is protected by a shop or a password. */
  int TYPESET_PROTECTED = 2;
  /** The book lacks what a standard asks for. */
  int TYPESET_NONCONFORMING = 3;
  /** There is no such file or part of the book. */
  int TYPESET_MISSING = 4;
  /** An output cannot be written. */
  int TYPESET_UNWRITABLE = 5;
  /** A library is needed that is not installed. */
  int TYPESET_UNAVAILABLE = 6;
  /** A limit of memory, time or size was reached. */
  int TYPESET_LIMIT = 7;
  /** The caller has stopped it, by a function of its own or from another thread. */
  int TYPESET_INTERRUPTED = 8;
  /** The book has no such page or chapter. */
  int TYPESET_NO_SUCH_PAGE = 9;
  /** An argument is NULL that may not be, or out of its range. */
  int TYPESET_INVALID_ARGUMENT = 10;
  /** The process was forked after it had used the library. */
  int TYPESET_FORKED = 11;
  /** The settings were changed by another thread while the call was at work: ask again. */
  int TYPESET_SUPERSEDED = 12;

  /** The status that the call returned; TYPESET_OK for NULL. Any thread; cannot fail. */
  int typeset_error_status(Pointer error);

  /**
   * The reason, as a clause without a final stop; "" for NULL. It is the error's and lives as long.
   * Any thread; cannot fail.
   */
  String typeset_error_message(Pointer error);

  /**
   * The place: a path in the book, that of the file, or the name of a setting; "" where there is
   * none. It is the error's and lives as long. Any thread; cannot fail.
   */
  String typeset_error_part(Pointer error);

  /**
   * What keeps a book of TYPESET_PROTECTED from being opened: "lcp", "adobe", "apple", "amazon",
   * "password" or "unknown"; "" for other errors and NULL. It is the error's and lives as long. Any
   * thread; cannot fail.
   */
  String typeset_error_protection(Pointer error);

  /** Releases an error. */
  void typeset_error_free(Pointer error);

  /** Releases memory that a function gave: text, files, JSON. */
  void typeset_free(Pointer memory);

  /**
   * Decrypts a file of a book: `count` bytes, encrypted by the algorithm of this URL, into `plain`,
   * which has room for as many. Returns 0 and sets `*plain_count`, or anything else where there is
   * no key. Called by any thread of the library, by several at once.
   */
  interface Decrypt extends Callback {
    int invoke(
        Pointer context, String path, String algorithm, Pointer bytes, long count, Pointer plain,
        LongByReference plain_count);
  }

  /**
   * Is told once, by any thread, that no function of the caller's is called with this context any
   * more: when the book and all that was made of it have been released, or at once where opening
   * fails, but for TYPESET_FORKED and a struct that is refused.
   */
  interface Release extends Callback {
    void invoke(Pointer context);
  }

  /**
   * How a book is opened. Set `size` to sizeof(typeset_open_options) and all else to 0 before
   * anything is set: members that later versions add count as 0 where the size is that of an
   * earlier one.
   */
  @FieldOrder({"size", "encoding", "decrypt", "context", "release", "chapter_patterns"})
  final class OpenOptions extends Structure {
    public long size;
    /**
     * The encoding of a plain text, a Markdown text, a page or a FictionBook, by a label of the
     * Encoding Standard; NULL where it is to be found out.
     */
    public String encoding;
    /**
     * Called with `context` for the files that META-INF/encryption.xml of an EPUB names, by
     * programs that have the keys of a shop or a library; NULL where there are none: then a book
     * whose chapters are encrypted is TYPESET_PROTECTED.
     */
    public Decrypt decrypt;
    public Pointer context;
    /** May be NULL. It is called where `decrypt` is one. */
    public Release release;
    /**
     * What the lines match that begin chapters of a plain text, as a JSON array of regular
     * expressions in the syntax of PCRE2, those of the outermost level first; NULL where chapters
     * are to be found out, as they are where no line matches. TYPESET_INVALID_ARGUMENT for one that
     * is not valid, TYPESET_UNAVAILABLE where PCRE2 is not installed.
     */
    public String chapter_patterns;

    public OpenOptions() {
      size = size();
    }
  }

  /**
   * Opens a book: an EPUB file or folder, a FictionBook, a MOBI or AZW3 book, a page of HTML, a
   * text of Markdown or a plain one. The package and the table of contents are read, no chapter is.
   * `options` may be NULL. Release the book by typeset_book_free. TYPESET_MISSING,
   * TYPESET_UNREADABLE, TYPESET_PROTECTED, TYPESET_LIMIT, TYPESET_UNAVAILABLE.
   */
  int typeset_open(
      String path, OpenOptions options, PointerByReference book, PointerByReference error);

  /**
   * Opens a book of `count` bytes, which are copied. `name` is that of the file: it tells a
   * Markdown text from a plain one, and is the title of what has none. Otherwise as typeset_open.
   */
  int typeset_open_memory(
      Pointer bytes, long count, String name, OpenOptions options, PointerByReference book,
      PointerByReference error);

  /**
   * The size of a file in bytes; -1 where there is none. Called by any thread of the library, by
   * several at once.
   */
  interface FileSize extends Callback {
    long invoke(Pointer context, String path);
  }

  /**
   * Reads a file into `count` bytes, which is its size. Returns 0, or anything else where it cannot
   * be read: then that part of the book is missing. Called by any thread of the library, by several
   * at once, and again for the same file, which has the same bytes each time.
   */
  interface FileRead extends Callback {
    int invoke(Pointer context, String path, Pointer bytes, long count);
  }

  /**
   * The files of an EPUB that the caller reads: out of an object store, a database, or decrypted on
   * the way. Set `size` to sizeof(typeset_files) and all else to 0 before anything is set, as for
   * typeset_open_options.
   */
  @FieldOrder({"size", "paths", "file_size", "file_read", "context", "release"})
  final class Files extends Structure {
    public long size;
    /**
     * The paths of all files from the book's root, as a JSON array; it is copied. Functions get
     * them as they are here.
     */
    public String paths;
    public FileSize file_size;
    public FileRead file_read;
    public Pointer context;
    /** May be NULL. */
    public Release release;

    public Files() {
      size = size();
    }
  }

  /**
   * Opens an EPUB by functions of the caller's, which are to call nothing of the library with this
   * book. `name` is the book's in errors; `options` may be NULL, its encoding and patterns mean
   * nothing here. Otherwise as typeset_open.
   */
  int typeset_open_files(
      Files files, String name, OpenOptions options, PointerByReference book, PointerByReference
      error);

  /** Releases a book. */
  void typeset_book_free(Pointer book);

  /** The number of chapters: documents of the reading order; 0 for NULL. Cannot fail. */
  long typeset_book_chapter_count(Pointer book);

  /**
   * What the book says about itself, as JSON: an object with `title`, `creators` (each with `name`
   * and `role`), `language`, `identifier`, `isFixedLayout`, `isRightToLeft` and others; what is not
   * known is not in it. Release it by typeset_free.
   */
  int typeset_book_metadata(Pointer book, PointerByReference json, PointerByReference error);

  /**
   * The table of contents as JSON: an array of objects with `title`, `level` (from 0), `href` and
   * `chapter`, the last two only where the entry leads somewhere. Release it by typeset_free.
   */
  int typeset_book_contents(Pointer book, PointerByReference json, PointerByReference error);

  /**
   * The reading order as JSON: an array of objects with `href`, `mediaType`, `title`, `isLinear`
   * and `rendition`. Release it by typeset_free.
   */
  int typeset_book_chapters(Pointer book, PointerByReference json, PointerByReference error);

  /**
   * A file of the book by its path in it. `media_type` may be NULL. Release both by typeset_free.
   * TYPESET_MISSING.
   */
  int typeset_book_resource(
      Pointer book, String path, PointerByReference bytes, LongByReference count, PointerByReference
      media_type, PointerByReference error);

  /**
   * Faults of the package that had to be recovered from, as JSON: an array of objects with `code`,
   * `part` (a path in the book, "" for all of it), `line` (from 1, 0 where it is not known) and
   * `message`. Release it by typeset_free.
   */
  int typeset_book_diagnostics(Pointer book, PointerByReference json, PointerByReference error);

  /**
   * A pool whose typesetters keep no more than `memory` bytes together, about: what was used
   * longest ago goes first, whichever book it is of, and is made again when it is asked for.
   * `threads` chapters are set at the same time, others wait; 0 for as many as are asked for.
   * Release it by typeset_pool_free. TYPESET_INVALID_ARGUMENT for no memory.
   */
  int typeset_pool_new(
      long memory, long threads, PointerByReference pool, PointerByReference error);

  /** Releases a pool. Its typesetters go on under its budget. */
  void typeset_pool_free(Pointer pool);

  /**
   * What a pool holds, as JSON: an object with `typesetters`, `layouts` (of chapters), `bytes`, and
   * what went for want of room since it was made: `evictedLayouts`, and `evictedBooks` (their
   * documents, fonts and pictures). Release it by typeset_free.
   */
  int typeset_pool_usage(Pointer pool, PointerByReference json, PointerByReference error);

  /** Gives up all that the typesetters of a pool keep, and the memory back to the system. */
  int typeset_pool_release_memory(Pointer pool, PointerByReference error);

  /**
   * Has the allocator of the C library keep little of what is given up, for all of the process: for
   * programs that read book after book. To be called once, before the first one is opened. Does
   * nothing where the allocator is not glibc's. Cannot fail.
   */
  void typeset_bound_memory();

  /**
   * A typesetter of a book. `settings` is a JSON object of those that are not as they are by
   * default, or NULL: `pageSize` (width and height), `marginTop`, `marginRight`, `marginBottom`,
   * `marginLeft`, `fontSize`, `lineHeight`, `fontFamily`, `theme` ("light", "sepia", "dark", or an
   * object with `paper`, `ink`, `minimumContrast`), `scale`, `columns`, `hyphenate` and `justify`
   * ("auto", "on", "off"), `publisherStyles`, `userStyleSheet` and others, as
   * typeset_typesetter_settings has them all. Release it by typeset_typesetter_free.
   * TYPESET_UNREADABLE for JSON that is none, or has a name that no setting has;
   * TYPESET_INVALID_ARGUMENT for a setting out of its range: the part of the error is its name.
   */
  int typeset_typesetter_new(
      Pointer book, String settings, PointerByReference typesetter, PointerByReference error);

  /**
   * How a typesetter works. Set `size` to sizeof(typeset_typesetter_options) and all else to 0
   * before anything is set, as for typeset_open_options.
   */
  @FieldOrder({"size", "directory", "cache_limit", "pool"})
  final class TypesetterOptions extends Structure {
    public long size;
    /**
     * Where pages start, as typeset_typesetter_directory has told it and the caller has kept it;
     * NULL for none. It is without effect where the book, the settings, the fonts or the library
     * are not as they were then.
     */
    public String directory;
    /**
     * Bytes that may be kept, about: half by chapters and fonts, the rest by pictures and drawn
     * glyphs; 0 for 64 MiB. The chapter in use is kept whatever it takes.
     */
    public long cache_limit;
    /** The pool whose budget it shares; NULL for none. The typesetter keeps what it needs of it. */
    public Pointer pool;

    public TypesetterOptions() {
      size = size();
    }
  }

  /**
   * A typesetter as typeset_typesetter_new makes it, with options, which may be NULL.
   * TYPESET_UNREADABLE, with `directory` as its part, for a directory that is damaged.
   */
  int typeset_typesetter_new_with(
      Pointer book, String settings, TypesetterOptions options, PointerByReference typesetter,
      PointerByReference error);

  /**
   * Where pages start, as far as chapters have been laid out, as JSON to be kept beside the book:
   * with it the book opens with its page numbers known, and any page is made without those before
   * it. Release it by typeset_free.
   */
  int typeset_typesetter_directory(
      Pointer typesetter, PointerByReference json, PointerByReference error);

  /**
   * Ends all calls of other threads that are at work with the typesetter: they return
   * TYPESET_INTERRUPTED within the page. Later calls are not concerned; notes and pictures are made
   * to their end.
   */
  int typeset_typesetter_cancel(Pointer typesetter, PointerByReference error);

  /** A cancellation that is bound to no thread. Release it by typeset_cancellation_free. */
  int typeset_cancellation_new(PointerByReference cancellation, PointerByReference error);

  /**
   * Binds it to the calling thread, in place of another one. Once it is requested, calls of this
   * thread with any typesetter end as by typeset_typesetter_cancel. A cancellation may be bound to
   * several threads.
   */
  int typeset_cancellation_bind(Pointer cancellation, PointerByReference error);

  /** Binds none to the calling thread. Cannot fail. */
  void typeset_cancellation_unbind();

  /**
   * Ends the calls at work of all threads that it is bound to, and for good: later ones end as they
   * begin. Any thread may request it.
   */
  int typeset_cancellation_request(Pointer cancellation, PointerByReference error);

  /** Releases it; threads stay bound to it until they end, or are bound otherwise. */
  void typeset_cancellation_free(Pointer cancellation);

  /** Bytes that it keeps now, about; 0 for NULL. Cannot fail. */
  long typeset_typesetter_cached_bytes(Pointer typesetter);

  /**
   * Gives up all that is kept of the book, and the memory back to the system. What is asked for
   * later is made again.
   */
  int typeset_typesetter_release_memory(Pointer typesetter, PointerByReference error);

  /** Releases a typesetter. */
  void typeset_typesetter_free(Pointer typesetter);

  /** All settings, as a JSON object. Release it by typeset_free. */
  int typeset_typesetter_settings(
      Pointer typesetter, PointerByReference json, PointerByReference error);

  /**
   * Sets the book anew: settings that `settings` does not name are as by default, as in
   * typeset_typesetter_new. Documents stay parsed. Pages that have been made stay as they are.
   */
  int typeset_typesetter_apply(Pointer typesetter, String settings, PointerByReference error);

  /** The number of pages of a chapter, which is laid out for it. */
  int typeset_page_count(
      Pointer typesetter, long chapter, LongByReference count, PointerByReference error);

  /** The number of pages of the book, all chapters laid out: seconds for a long book. */
  int typeset_page_count_all(Pointer typesetter, LongByReference count, PointerByReference error);

  /**
   * What is known of the number of pages by now, as JSON: `total` once all chapters have been
   * counted, `likely`, `least` and `most` (the number is between them for nearly all books),
   * `isReliable` (`likely` is good enough to be shown), and `chapters`, an array of objects with
   * `pages` and `isExact`. Nothing is laid out. Release it by typeset_free.
   */
  int typeset_page_estimate(Pointer typesetter, PointerByReference json, PointerByReference error);

  /**
   * The first page of the book that shows anything. Release the page by typeset_page_free.
   * TYPESET_NO_SUCH_PAGE for a book without any.
   */
  int typeset_page_first(Pointer typesetter, PointerByReference page, PointerByReference error);

  /**
   * A page of a chapter. TYPESET_NO_SUCH_PAGE where the chapter has no such page: one that shows
   * nothing has none.
   */
  int typeset_page_at(
      Pointer typesetter, long chapter, long index, PointerByReference page, PointerByReference
      error);

  /**
   * The page behind another one, in its chapter or the next that has pages. TYPESET_NO_SUCH_PAGE at
   * the book's end.
   */
  int typeset_page_next(
      Pointer typesetter, Pointer page, PointerByReference next, PointerByReference error);

  /** The page before another one. TYPESET_NO_SUCH_PAGE at the book's start. */
  int typeset_page_previous(
      Pointer typesetter, Pointer page, PointerByReference previous, PointerByReference error);

  /**
   * The page that holds a place: one that typeset_page_start, a text layer or a search gave, or an
   * EPUB CFI. TYPESET_UNREADABLE where it is neither, TYPESET_MISSING where the book has no such
   * place.
   */
  int typeset_page_at_place(
      Pointer typesetter, String place, PointerByReference page, PointerByReference error);

  /** Releases a page. */
  void typeset_page_free(Pointer page);

  /** The chapter of a page; 0 for NULL. Cannot fail. */
  long typeset_page_chapter(Pointer page);

  /** The page's position in its chapter; 0 for NULL. Cannot fail. */
  long typeset_page_index(Pointer page);

  /** The width of a page in CSS px; 0 for NULL. Cannot fail. */
  double typeset_page_width(Pointer page);

  /** The height of a page in CSS px; 0 for NULL. Cannot fail. */
  double typeset_page_height(Pointer page);

  /**
   * The first place on the page, to be saved as the reader's: it outlives a change of settings.
   * Release it by typeset_free.
   */
  int typeset_page_start(Pointer page, PointerByReference place, PointerByReference error);

  /**
   * The page as a PNG file. `scale` is device pixels per CSS px; 0 for that of the settings.
   * Release it by typeset_free. TYPESET_INVALID_ARGUMENT for a scale by which a side has more than
   * 16384 pixels.
   */
  int typeset_page_png(
      Pointer page, double scale, PointerByReference bytes, LongByReference count,
      PointerByReference error);

  /**
   * The page as a PNG file with annotations of the reader's over it: a JSON array of objects with
   * `style` ("highlight", "underline" with its `stroke`: "solid", "dotted", "dashed", "double" or
   * "wavy", or "note", a mark at the end), `start` and `end` (places), and `color` ("#rrggbb").
   * Those of other pages leave no trace. NULL is none. Otherwise as typeset_page_png.
   * TYPESET_UNREADABLE for other JSON.
   */
  int typeset_page_png_annotated(
      Pointer page, double scale, String annotations, PointerByReference bytes, LongByReference
      count, PointerByReference error);

  /** What the bytes of a pixel are. */
  /** Blue, green, red, 255. */
  int TYPESET_BGRA = 0;
  /** Red, green, blue, 255. */
  int TYPESET_RGBA = 1;
  /** One byte of light. */
  int TYPESET_GRAY = 2;

  /**
   * How a page is drawn into memory. Set `size` to sizeof(typeset_drawing) and all else to 0 before
   * anything is set, as for typeset_open_options.
   */
  @FieldOrder({"size", "scale", "format", "stride", "x", "y", "width", "height", "annotations"})
  final class Drawing extends Structure {
    public long size;
    /** Device pixels per CSS px; 0 for the scale of the settings. */
    public double scale;
    /** TYPESET_BGRA, TYPESET_RGBA or TYPESET_GRAY. */
    public int format;
    /** Bytes from a row to the next; 0 for rows without a gap. */
    public long stride;
    /** The part of the page in device pixels; all of it where width and height are 0. */
    public long x;
    public long y;
    public long width;
    public long height;
    /** Annotations to draw over the page, as of typeset_page_png_annotated; NULL for none. */
    public String annotations;

    public Drawing() {
      size = size();
    }
  }

  /**
   * The size of a page in device pixels at a scale; 0 for that of the settings.
   * TYPESET_INVALID_ARGUMENT as for typeset_page_png.
   */
  int typeset_page_pixel_size(
      Pointer page, double scale, LongByReference width, LongByReference height, PointerByReference
      error);

  /**
   * Draws a page, or a part of it, into `count` bytes of the caller's, from its upper row on.
   * `drawing` may be NULL. Bytes between rows are left as they are. TYPESET_INVALID_ARGUMENT for
   * rows that do not fit, a part that reaches over the page, a scale as above.
   */
  int typeset_page_draw(
      Pointer page, Drawing drawing, Pointer memory, long count, PointerByReference error);

  /**
   * The drawing of a page, as JSON, for programs that draw it themselves: an object with `width`,
   * `height`, `background` and `items`, the lowest first. An item has a `kind` and what belongs to
   * it: fillRect, fillRoundedRect `rect`, `radii`, `color` · fillRing between two rounded
   * rectangles: also `inner`, `innerRadii` · fillPath `path`, `color` · strokeLine `from`, `to`,
   * `width`, `style` (solid unless said: dotted, dashed, double, wavy), `color` · strokePath
   * `path`, `width`, `style`, `color` · fillGradient `rect`, `radii`, `gradient` (`kind` linear
   * with `from` and `to`, radial with `center` and `radius`, conic with `center` and `angle` in
   * degrees; `stops` of `offset` and `color`, `isRepeating`) · shadow `rect`, `radii`, `blur`,
   * `color`, `isInset`, `clipOut` · glyphs `font`, `size`, `color`, `rotation` (clockwise90,
   * counterclockwise90), `expansion` (thousandths by which each is drawn wider), `glyphs`: number,
   * x and y of the origin of each in one array · image `image`, `rect` · imagePart also `part`, in
   * a raster in which the image has the size `of` · tiledImage `image`, the first `tile`,
   * `spacing`, `clip` · filterBackdrop `rect`, `radii`, `filters`, `opacity`. Up to the matching
   * restore, everything is clipped by saveClip (`rect`, `radii`) and saveClipPath (`path`,
   * `isEvenOdd`), a group of saveLayer (`opacity`, `blend`, `filters`, `bounds`), mapped by
   * saveTransform (`transform`, the numbers of matrix() in CSS) or saveProjection (`transform`,
   * nine numbers by rows, of what is in `source`). Lengths are CSS px from the page's top left
   * corner, downwards. Rectangles are x, y, width and height; points, sizes and radii (top left,
   * top right, bottom right, bottom left) are pairs; colours "#rrggbb" or "#rrggbbaa"; paths are
   * path data of SVG, filled by the non-zero rule. What is as usual is left out. `annotations` as
   * of typeset_page_png_annotated; NULL for none. Release it by typeset_free.
   */
  int typeset_page_display_list(
      Pointer page, String annotations, PointerByReference json, PointerByReference error);

  /**
   * A font of a display list, as JSON: `family`, `style`, `weight`, and `hasColor` where glyphs may
   * have a picture. Numbers of fonts, glyphs and images hold for all pages of a typesetter under
   * the same settings. Release it by typeset_free. TYPESET_MISSING where there is no such font.
   */
  int typeset_page_face(Pointer page, int font, PointerByReference json, PointerByReference error);

  /**
   * The outline of a glyph as path data of SVG, in ems from its origin, downwards; empty for one
   * without ink, or with a picture alone. Release it by typeset_free. TYPESET_MISSING where there
   * is no such font.
   */
  int typeset_page_glyph_outline(
      Pointer page, int font, int glyph, PointerByReference path, PointerByReference error);

  /**
   * The picture of a glyph that has colours of its own, as emoji have: a PNG file for a size, and
   * its place in ems from the glyph's origin: x, y, width and height, downwards. `color` is that of
   * the text, "#rrggbb" or "#rrggbbaa"; NULL for black. Release the bytes by typeset_free.
   * TYPESET_MISSING for a glyph without: it is filled with the text's colour.
   */
  int typeset_page_glyph_picture(
      Pointer page, int font, int glyph, int pixels_per_em, String color, PointerByReference bytes,
      LongByReference count, Pointer box, PointerByReference error);

  /**
   * The file of an image as the book has it, and its media type by what the bytes are. `media_type`
   * may be NULL. Release both by typeset_free. TYPESET_MISSING for drawings, and for images that
   * are missing or broken.
   */
  int typeset_page_image_file(
      Pointer page, int image, PointerByReference bytes, LongByReference count, PointerByReference
      media_type, PointerByReference error);

  /**
   * An image, upright, stretched to a size in pixels, as a PNG file; a drawing too. Release it by
   * typeset_free. TYPESET_MISSING for one that is missing or broken.
   */
  int typeset_page_image_png(
      Pointer page, int image, long width, long height, PointerByReference bytes, LongByReference
      count, PointerByReference error);

  /**
   * What stands on the page, as JSON, for a layer over its picture: an object with `chapter`,
   * `index`, `width`, `height`, `start`, `lines` (each with `text`, `start`, `end`, `rect`,
   * `words`, `isVertical`, `isRightToLeft`, `language`, `endsParagraph`; words with `text`,
   * `start`, `end`, `rect`, `isWord`), `links` (`href`, `rect`, `source`) and `pictures` (`rect`,
   * `source`). Rectangles are x, y, width and height. Release it by typeset_free.
   */
  int typeset_page_text(Pointer page, PointerByReference json, PointerByReference error);

  /**
   * What is on the page and what it is, as JSON, for those who cannot look: an object with
   * `language` and `nodes`, a tree. A node has a `role` (of WAI-ARIA, DPUB-ARIA or HTML: `heading`,
   * `paragraph`, `text`, `list`, `listitem`, `table`, `row`, `cell`, `columnheader`, `img`, `link`,
   * `doc-noteref`, `doc-pagebreak`, ...), `start` and `end` in the book's text, and where it has
   * them `rectangles`, `children`, `text`, `level`, `isOrdered`, `columnSpan`, `rowSpan`,
   * `language` (where it is another than around it), `alternative`, `mathML`, `label`, `href`,
   * `source`, `continuesFromPreviousPage`, `continuesOnNextPage`. Release it by typeset_free.
   */
  int typeset_page_structure(Pointer page, PointerByReference json, PointerByReference error);

  /**
   * What cannot be shown of a page as the book means it, as JSON: an array of objects with `kind`
   * ("fontMissing": characters that no font has, "decoderMissing": a picture whose library is not
   * installed, "imageUndecodable": one that is damaged or missing), `place` and `message`. Release
   * it by typeset_free.
   */
  int typeset_page_diagnostics(Pointer page, PointerByReference json, PointerByReference error);

  /**
   * The same of all pages of a chapter, margin boxes left out; it is laid out for it. Release it by
   * typeset_free. TYPESET_NO_SUCH_PAGE where there is no such chapter.
   */
  int typeset_diagnostics(
      Pointer typesetter, long chapter, PointerByReference json, PointerByReference error);

  /**
   * What is at a point of a page, as JSON: an object with `place` (the one nearest to the point, as
   * it is written everywhere), `word`, `sentence` and `line` around it (each with `start`, `end`,
   * `text`, and `rectangles` of what is on the page), and `link` and `picture`, as in the text
   * layer, where the point lies in one. What there is not is not in it; where no word is at the
   * point, `word` is what is between two. Release it by typeset_free.
   */
  int typeset_page_hit(
      Pointer page, double x, double y, PointerByReference json, PointerByReference error);

  /**
   * The text between two places, in either order, as JSON: an object with `start`, `end`, `text` as
   * it is copied, and `rectangles` of what is on the page: a selection. Release it by typeset_free.
   * TYPESET_UNREADABLE where a place is none.
   */
  int typeset_page_stretch(
      Pointer page, String start, String end, PointerByReference json, PointerByReference error);

  /** Sides of a spread. */
  int TYPESET_LEFT = 0;
  int TYPESET_RIGHT = 1;

  /**
   * The spread that shows a page of a chapter. Release it by typeset_spread_free.
   * TYPESET_NO_SUCH_PAGE as for typeset_page_at.
   */
  int typeset_spread_at(
      Pointer typesetter, long chapter, long index, PointerByReference spread, PointerByReference
      error);

  /** The spread that shows a place, as for typeset_page_at_place. */
  int typeset_spread_at_place(
      Pointer typesetter, String place, PointerByReference spread, PointerByReference error);

  /** The spread behind another one. TYPESET_NO_SUCH_PAGE at the book's end. */
  int typeset_spread_next(
      Pointer typesetter, Pointer spread, PointerByReference next, PointerByReference error);

  /** The spread before another one. TYPESET_NO_SUCH_PAGE at the book's start. */
  int typeset_spread_previous(
      Pointer typesetter, Pointer spread, PointerByReference previous, PointerByReference error);

  /** Releases a spread. Pages that were taken out of it stay. */
  void typeset_spread_free(Pointer spread);

  /**
   * The page on a side, TYPESET_LEFT or TYPESET_RIGHT. Release it by typeset_page_free.
   * TYPESET_NO_SUCH_PAGE where that side is empty.
   */
  int typeset_spread_page(
      Pointer spread, int side, PointerByReference page, PointerByReference error);

  /**
   * Where the pages of a spread stand, as JSON: an object with `width` and `height`, `isCentered`
   * (a single page in the middle), `isRightToLeft` (the right page is read first), and `left` and
   * `right`, each with `chapter`, `index`, and `x` and `y` of the page's origin. An empty side is
   * not in it. Release it by typeset_free.
   */
  int typeset_spread_outline(Pointer spread, PointerByReference json, PointerByReference error);

  /**
   * Both pages as one PNG file. `annotations` may be NULL; otherwise as typeset_page_png_annotated.
   */
  int typeset_spread_png(
      Pointer spread, double scale, String annotations, PointerByReference bytes, LongByReference
      count, PointerByReference error);

  /**
   * The sentences of a chapter from the one that holds a place, or all of them where that is NULL,
   * as JSON: an array of objects with `text`, `start`, `end`, `language`, `types`, and `places`:
   * for each page that shows some of it `page` (its index), `start` (where to turn to it) and
   * `rectangles`. The chapter is laid out for it. Release it by typeset_free. TYPESET_NO_SUCH_PAGE
   * where there is no such chapter, TYPESET_UNREADABLE where the place is none.
   */
  int typeset_sentences(
      Pointer typesetter, long chapter, String start, PointerByReference json, PointerByReference
      error);

  /**
   * The clips of the recording that comes with a chapter (a media overlay), as JSON: objects as of
   * typeset_sentences, with `types` of the structure they belong to, such as "footnote", and
   * `audio`: `path` in the book, `start` and, unless it is that of the recording, `end` in seconds.
   * An empty array where there is none. Release it by typeset_free. TYPESET_NO_SUCH_PAGE as above.
   */
  int typeset_media_overlay(
      Pointer typesetter, long chapter, PointerByReference json, PointerByReference error);

  /**
   * The place that a link leads to. `href` is as a page or the contents write it; `source` is the
   * link's place, or NULL where `href` is a path in the book, as in the contents. Release it by
   * typeset_free. TYPESET_MISSING where it leads out of the book.
   */
  int typeset_book_link(
      Pointer book, String href, String source, PointerByReference place, PointerByReference error);

  /**
   * The note that a mark leads to, set by itself at a width in CSS px, to be shown over the page.
   * `mark` is the `source` of a link or picture of a page. Gives JSON, an object with `source`,
   * `text`, `width` and `height`, and a PNG file at a scale, 0 for that of the settings. Release
   * both by typeset_free. TYPESET_MISSING where the place is that of no mark, such as a link to
   * another chapter; TYPESET_INVALID_ARGUMENT for a width not between 32 and 16384, and a scale as
   * for typeset_page_png.
   */
  int typeset_note(
      Pointer typesetter, String mark, double width, double scale, PointerByReference json,
      PointerByReference bytes, LongByReference count, PointerByReference error);

  /**
   * The EPUB CFI of a place, or of the range from it to `end` where that is not NULL: for other
   * reading systems, and for other editions of the book. Release it by typeset_free.
   * TYPESET_MISSING where the book has no such place.
   */
  int typeset_book_cfi(
      Pointer book, String start, String end, PointerByReference cfi, PointerByReference error);

  /**
   * The range that an EPUB CFI names, as JSON: an object with `start` and `end`, which are the same
   * for a place. Release it by typeset_free. TYPESET_UNREADABLE for what is no CFI, TYPESET_MISSING
   * where the book has no such place.
   */
  int typeset_book_range(
      Pointer book, String cfi, PointerByReference json, PointerByReference error);

  /**
   * The positions of the book as Readium counts them, whatever the settings, as JSON: an array of
   * objects with `number` (from 1), `chapter`, `progression` in it and `totalProgression`. Release
   * it by typeset_free.
   */
  int typeset_book_positions(Pointer book, PointerByReference json, PointerByReference error);

  /**
   * The position that a place or CFI belongs to, an object as above. Release it by typeset_free.
   * TYPESET_UNREADABLE where it is neither, TYPESET_MISSING where the book has no such place.
   */
  int typeset_book_position(
      Pointer book, String place, PointerByReference json, PointerByReference error);

  /**
   * The place of a position by its number. Release it by typeset_free. TYPESET_MISSING where there
   * is no such position.
   */
  int typeset_book_position_place(
      Pointer book, long number, PointerByReference place, PointerByReference error);

  /**
   * Those of some annotations, as of typeset_page_png_annotated, that lie at a point of a page, the
   * shortest first, as JSON: an array of their indices. Release it by typeset_free.
   * TYPESET_UNREADABLE for other JSON.
   */
  int typeset_page_annotations_at(
      Pointer page, String annotations, double x, double y, PointerByReference json,
      PointerByReference error);

  /**
   * An annotation set of the W3C (EPUB Annotations 1.0, JSON-LD), which other reading systems read.
   * `set` is a JSON object with `id` (a URL that no other set has) and, where they are known,
   * `title`, `generator`, `generated` and `items`: annotations as above with `id`, `text` (the
   * reader's own), `created`, `modified` (ISO 8601) and `creator` besides; `start` and `end` of a
   * bookmark are the same. Release the result by typeset_free. TYPESET_UNREADABLE for other JSON.
   */
  int typeset_annotations_write(
      Pointer book, String set, PointerByReference written, PointerByReference error);

  /**
   * Reads an annotation set of the W3C into a JSON object as above. Places are found by their CFI,
   * the text they quote, or how far they are in the chapter; `unresolved` has the ids of those that
   * the book does not have. Release it by typeset_free. TYPESET_UNREADABLE for what is no
   * annotation set.
   */
  int typeset_annotations_read(
      Pointer book, String written, PointerByReference set, PointerByReference error);

  /** Standards that a PDF can conform to. */
  /** PDF/A-2u (ISO 19005-2). */
  int TYPESET_PDF_A2U = 1;
  /** PDF/A-2a: as PDF/A-2u, and tagged. */
  int TYPESET_PDF_A2A = 2;
  /** PDF/UA-1 (ISO 14289-1), which asks for a title, a language, and a text for each picture. */
  int TYPESET_PDF_UA1 = 4;

  /**
   * Is told how far a file has come, in pages and in chapters of so many. Returns 0 to go on,
   * anything else to stop.
   */
  interface Progress extends Callback {
    int invoke(Pointer context, long pages, long chapters, long chapter_count);
  }

  /**
   * Takes the next bytes of a file, which are the library's. Returns 0 to go on, anything else to
   * stop.
   */
  interface Write extends Callback {
    int invoke(Pointer context, Pointer bytes, long count);
  }

  /**
   * How a PDF is made. Set `size` to sizeof(typeset_pdf_options) and all else to 0 before anything
   * is set, as for typeset_open_options.
   */
  @FieldOrder({"size", "standards", "creation_time", "progress", "context"})
  final class PdfOptions extends Structure {
    public long size;
    /** TYPESET_PDF_A2U and others, joined by |; 0 for PDF/A-2u. */
    public int standards;
    /**
     * Seconds since 1970 that the file tells as the time of its making; 0 for none, so that equal
     * books give equal bytes.
     */
    public long creation_time;
    /** Called with `context` when a page or a chapter is complete; may be NULL. */
    public Progress progress;
    public Pointer context;

    public PdfOptions() {
      size = size();
    }
  }

  /**
   * Sets the whole book as one PDF: tagged, with its outline and links. `write` is called with
   * `context` and the file's bytes in order; it and the progress of `options`, which may be NULL,
   * are called by threads of the library, one at a time, before this function returns. They may
   * release handles, but are to call nothing else of the library. `warnings` may be NULL; it gives
   * JSON, an array of objects with `code`, `part`, `line` and `message`: faces whose licences
   * forbid to embed them, links that lead nowhere, characters that no font has. Release it by
   * typeset_free. TYPESET_NONCONFORMING where the book lacks what a standard asks for,
   * TYPESET_INTERRUPTED where a function has stopped it.
   */
  int typeset_pdf(
      Pointer typesetter, PdfOptions options, Write write, Pointer context, PointerByReference
      warnings, PointerByReference error);

  /** A PDF as typeset_pdf makes it, in memory. Release it by typeset_free. */
  int typeset_pdf_memory(
      Pointer typesetter, PdfOptions options, PointerByReference bytes, LongByReference count,
      PointerByReference warnings, PointerByReference error);

  /** Differences that a search ignores, and where it finds. */
  int TYPESET_IGNORE_CASE = 1;
  /** Full and half width, letters joined into one, other forms of the same characters. */
  int TYPESET_IGNORE_WIDTH = 2;
  int TYPESET_IGNORE_DIACRITICS = 4;
  /** Hiragana and katakana. */
  int TYPESET_IGNORE_KANA = 8;
  int TYPESET_IGNORE_HYPHENS = 16;
  /** Forms of apostrophes, quotation marks and dashes. */
  int TYPESET_IGNORE_PUNCTUATION_FORMS = 32;
  /** Traditional and simplified Chinese. */
  int TYPESET_IGNORE_CHINESE_FORMS = 64;
  /** What readers expect. */
  int TYPESET_IGNORE_ALL = 127;
  /** Only what begins and ends where words do. */
  int TYPESET_WHOLE_WORDS = 128;

  /**
   * Finds a phrase in one chapter, in the order of its text: an array of JSON objects with `start`,
   * `end`, `before`, `match` and `after`. Whoever looks through a book asks for one chapter after
   * the other, and stops when it likes. Nothing is laid out. Release it by typeset_free.
   * TYPESET_NO_SUCH_PAGE where there is no such chapter.
   */
  int typeset_search(
      Pointer typesetter, String phrase, int options, long chapter, PointerByReference json,
      PointerByReference error);
}
