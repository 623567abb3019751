import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Shows what is in a book: its title and contents, its first page as a PNG file, and where a phrase stands.
 *
 * <pre>
 *   apt install default-jdk-headless libjna-java libgoogle-gson-java
 *   export CLASSPATH=/usr/share/java/jna.jar:/usr/share/java/gson.jar:.
 *   javac *.java
 *   java Reader novel.epub page.png "white whale"
 * </pre>
 *
 * A book that cannot be opened is told in one line, and the status is 1.
 */
public final class Reader {
  private static final JsonObject SETTINGS =
      JsonParser.parseString("{\"pageSize\": [420, 595], \"theme\": \"sepia\"}").getAsJsonObject();

  public static void main(String[] arguments) {
    if (arguments.length < 2) {
      System.err.println("usage: java Reader BOOK PAGE.png [PHRASE]");
      System.exit(64);
    }
    try (Typeset.Book book = Typeset.Book.open(arguments[0]);
        Typeset.Typesetter typesetter = book.typesetter(SETTINGS);
        Typeset.Page page = typesetter.firstPage()) {
      System.out.println(book.metadata().get("title").getAsString());
      for (JsonElement entry : book.contents()) {
        JsonObject line = entry.getAsJsonObject();
        System.out.println("  ".repeat(line.get("level").getAsInt() + 1) + line.get("title").getAsString());
      }
      Files.write(Path.of(arguments[1]), page.png(2));
      if (arguments.length > 2) search(typesetter, arguments[2], book.chapterCount());
    } catch (Typeset.Failure | IOException failure) {
      System.err.println("reader: " + failure.getMessage());
      System.exit(1);
    }
  }

  private static void search(Typeset.Typesetter typesetter, String phrase, long chapters) throws Typeset.Failure {
    for (long chapter = 0; chapter < chapters; chapter++) {
      for (JsonElement result : typesetter.search(phrase, chapter)) {
        JsonObject found = result.getAsJsonObject();
        System.out.println(
            found.get("start").getAsString() + " " + found.get("before").getAsString()
                + "[" + found.get("match").getAsString() + "]" + found.get("after").getAsString());
      }
    }
  }
}
