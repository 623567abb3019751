import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.LongByReference;
import com.sun.jna.ptr.PointerByReference;
import java.util.Map;

/**
 * The functions of typeset.h by JNA, as far as {@link Typeset} calls them. A size_t is a long: the library is for 64-bit
 * systems.
 */
interface TypesetLibrary extends Library {
  /** The library that the system finds, or the folder that the property jna.library.path names. */
  TypesetLibrary INSTANCE =
      Native.load("libtypeset.so.1", TypesetLibrary.class, Map.of(Library.OPTION_STRING_ENCODING, "UTF-8"));

  int TYPESET_OK = 0;
  int TYPESET_IGNORE_ALL = 127;

  String typeset_error_message(Pointer error);

  String typeset_error_part(Pointer error);

  void typeset_error_free(Pointer error);

  void typeset_free(Pointer memory);

  int typeset_open(String path, Pointer options, PointerByReference book, PointerByReference error);

  void typeset_book_free(Pointer book);

  long typeset_book_chapter_count(Pointer book);

  int typeset_book_metadata(Pointer book, PointerByReference json, PointerByReference error);

  int typeset_book_contents(Pointer book, PointerByReference json, PointerByReference error);

  int typeset_typesetter_new(
      Pointer book, String settings, PointerByReference typesetter, PointerByReference error);

  void typeset_typesetter_free(Pointer typesetter);

  int typeset_page_first(Pointer typesetter, PointerByReference page, PointerByReference error);

  void typeset_page_free(Pointer page);

  int typeset_page_png(
      Pointer page, double scale, PointerByReference bytes, LongByReference count, PointerByReference error);

  int typeset_search(
      Pointer typesetter,
      String phrase,
      int options,
      long chapter,
      PointerByReference json,
      PointerByReference error);
}
