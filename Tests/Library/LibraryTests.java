import com.sun.jna.Memory;
import com.sun.jna.ptr.LongByReference;
import com.sun.jna.ptr.PointerByReference;
import java.nio.charset.Charset;
import java.util.concurrent.atomic.AtomicLong;

/** Whether structs and callbacks of the declarations for JNA are as the library has them. */
final class LibraryTests {
  private static final TypesetLibrary LIBRARY = TypesetLibrary.INSTANCE;

  private static void expect(boolean holds, String what) {
    if (!holds) throw new AssertionError(what);
  }

  private static void succeeds(int status, String what) {
    expect(status == TypesetLibrary.TYPESET_OK, what + ": " + status);
  }

  public static void main(String[] arguments) {
    byte[] text = "红楼梦\n\n却说秦氏".getBytes(Charset.forName("GB18030"));
    Memory bytes = new Memory(text.length);
    bytes.write(0, text, 0, text.length);
    TypesetLibrary.OpenOptions options = new TypesetLibrary.OpenOptions();
    options.encoding = "gb18030";
    PointerByReference book = new PointerByReference();
    succeeds(LIBRARY.typeset_open_memory(bytes, text.length, "a.txt", options, book, null), "open");
    PointerByReference typesetter = new PointerByReference();
    succeeds(
        LIBRARY.typeset_typesetter_new(book.getValue(), "{\"pageSize\": [300, 200]}", typesetter, null), "typesetter");
    PointerByReference page = new PointerByReference();
    succeeds(LIBRARY.typeset_page_first(typesetter.getValue(), page, null), "page");
    PointerByReference json = new PointerByReference();
    succeeds(LIBRARY.typeset_page_text(page.getValue(), json, null), "text");
    String shown = json.getValue().getString(0, "UTF-8");
    expect(shown.contains("红楼梦"), "the encoding is not heeded: " + shown);
    LIBRARY.typeset_free(json.getValue());

    TypesetLibrary.Drawing drawing = new TypesetLibrary.Drawing();
    drawing.scale = 2;
    drawing.format = TypesetLibrary.TYPESET_GRAY;
    drawing.y = 10;
    drawing.width = 600;
    drawing.height = 390;
    Memory pixels = new Memory(600 * 390);
    succeeds(LIBRARY.typeset_page_draw(page.getValue(), drawing, pixels, pixels.size(), null), "draw");
    byte[] drawn = pixels.getByteArray(0, (int) pixels.size());
    boolean isDark = false;
    for (byte light : drawn) isDark |= Byte.toUnsignedInt(light) < 64;
    expect(isDark, "nothing is drawn");
    drawing.height = 391;
    expect(
        LIBRARY.typeset_page_draw(page.getValue(), drawing, pixels, pixels.size(), null)
            == TypesetLibrary.TYPESET_INVALID_ARGUMENT,
        "a part that reaches over the page is drawn");

    AtomicLong written = new AtomicLong();
    AtomicLong pages = new AtomicLong();
    TypesetLibrary.PdfOptions choices = new TypesetLibrary.PdfOptions();
    choices.progress =
        (context, done, chapters, count) -> {
          pages.set(done);
          return 0;
        };
    TypesetLibrary.Write write =
        (context, part, count) -> {
          written.addAndGet(count);
          return 0;
        };
    succeeds(LIBRARY.typeset_pdf(typesetter.getValue(), choices, write, null, null, null), "pdf");
    PointerByReference memory = new PointerByReference();
    LongByReference size = new LongByReference();
    succeeds(LIBRARY.typeset_pdf_memory(typesetter.getValue(), null, memory, size, null, null), "pdf in memory");
    LIBRARY.typeset_free(memory.getValue());
    expect(pages.get() > 0 && written.get() == size.getValue(), "the PDF is not written whole");

    LIBRARY.typeset_page_free(page.getValue());
    LIBRARY.typeset_typesetter_free(typesetter.getValue());
    LIBRARY.typeset_book_free(book.getValue());
    System.out.println("java: structs and callbacks are as the library has them");
  }
}
