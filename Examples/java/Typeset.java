import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.LongByReference;
import com.sun.jna.ptr.PointerByReference;
import java.util.function.Consumer;

/** Books and pages as objects: each is closed once, in any order, and any thread may call it. */
final class Typeset {
  private static final TypesetLibrary LIBRARY = TypesetLibrary.INSTANCE;

  private Typeset() {}

  /** A call that failed: its status as in typeset.h, and the file, part of the book or setting that it failed at. */
  static final class Failure extends Exception {
    private static final long serialVersionUID = 1;
    final int status;

    private Failure(int status, String part, String message) {
      super(part.isEmpty() ? message : part + ": " + message);
      this.status = status;
    }
  }

  /** A book that has been opened. */
  static final class Book extends Handle {
    private Book(Pointer made) {
      super(made, LIBRARY::typeset_book_free);
    }

    /** Opens the book of a file or folder. */
    static Book open(String path) throws Failure {
      return new Book(given((book, error) -> LIBRARY.typeset_open(path, null, book, error)));
    }

    JsonObject metadata() throws Failure {
      return json((text, error) -> LIBRARY.typeset_book_metadata(pointer(), text, error)).getAsJsonObject();
    }

    JsonArray contents() throws Failure {
      return json((text, error) -> LIBRARY.typeset_book_contents(pointer(), text, error)).getAsJsonArray();
    }

    long chapterCount() {
      return LIBRARY.typeset_book_chapter_count(pointer());
    }

    /** A typesetter with settings other than those by default. */
    Typesetter typesetter(JsonObject settings) throws Failure {
      return new Typesetter(
          given((made, error) -> LIBRARY.typeset_typesetter_new(pointer(), settings.toString(), made, error)));
    }
  }

  /** Sets a book into pages. */
  static final class Typesetter extends Handle {
    private Typesetter(Pointer made) {
      super(made, LIBRARY::typeset_typesetter_free);
    }

    Page firstPage() throws Failure {
      return new Page(given((page, error) -> LIBRARY.typeset_page_first(pointer(), page, error)));
    }

    /** Finds a phrase in a chapter, whatever the case and accents: objects with start, end, before, match, after. */
    JsonArray search(String phrase, long chapter) throws Failure {
      return json(
              (text, error) ->
                  LIBRARY.typeset_search(
                      pointer(), phrase, TypesetLibrary.TYPESET_IGNORE_ALL, chapter, text, error))
          .getAsJsonArray();
    }
  }

  /** A page that has been made. */
  static final class Page extends Handle {
    private Page(Pointer made) {
      super(made, LIBRARY::typeset_page_free);
    }

    /** The page as a PNG file, at so many pixels per CSS px. */
    byte[] png(double scale) throws Failure {
      LongByReference count = new LongByReference();
      Pointer bytes = given((place, error) -> LIBRARY.typeset_page_png(pointer(), scale, place, count, error));
      try {
        return bytes.getByteArray(0, Math.toIntExact(count.getValue()));
      } finally {
        LIBRARY.typeset_free(bytes);
      }
    }
  }

  /** What the library releases by a function of its own. */
  private abstract static class Handle implements AutoCloseable {
    private final Consumer<Pointer> free;
    private Pointer made;

    private Handle(Pointer made, Consumer<Pointer> free) {
      this.made = made;
      this.free = free;
    }

    final Pointer pointer() {
      if (made == null) throw new IllegalStateException(getClass().getSimpleName() + " is closed");
      return made;
    }

    @Override
    public final void close() {
      free.accept(made);
      made = null;
    }
  }

  /** A function that fills in a pointer or tells an error. */
  private interface Call {
    int into(PointerByReference result, PointerByReference error);
  }

  private static Pointer given(Call call) throws Failure {
    PointerByReference result = new PointerByReference();
    PointerByReference error = new PointerByReference();
    int status = call.into(result, error);
    if (status == TypesetLibrary.TYPESET_OK) return result.getValue();
    Pointer told = error.getValue();
    try {
      throw new Failure(status, LIBRARY.typeset_error_part(told), LIBRARY.typeset_error_message(told));
    } finally {
      LIBRARY.typeset_error_free(told);
    }
  }

  private static JsonElement json(Call call) throws Failure {
    Pointer text = given(call);
    try {
      return JsonParser.parseString(text.getString(0, "UTF-8"));
    } finally {
      LIBRARY.typeset_free(text);
    }
  }
}
