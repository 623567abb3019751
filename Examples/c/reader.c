/*
 * Shows what is in a book: its title and contents, its first page as a PNG file, and where a phrase stands.
 *
 *   cc reader.c $(pkg-config --cflags --libs typeset) -o reader
 *   ./reader novel.epub page.png "white whale"
 *
 * A book that cannot be opened is told in one line, and the status is 1.
 */
#include <stdio.h>
#include <typeset.h>

/* Tells an error, and releases it. */
static int failed(typeset_error *error) {
  const char *part = typeset_error_part(error);
  fprintf(stderr, "reader: %s%s%s\n", part, *part ? ": " : "", typeset_error_message(error));
  typeset_error_free(error);
  return 1;
}

static int write_page(const typeset_page *page, const char *path) {
  typeset_error *error;
  uint8_t *bytes;
  size_t count;
  FILE *file;
  int written;
  if (typeset_page_png(page, 2, &bytes, &count, &error) != TYPESET_OK) return failed(error);
  file = fopen(path, "wb");
  written = file && fwrite(bytes, 1, count, file) == count;
  typeset_free(bytes);
  if (file && fclose(file) != 0) written = 0;
  if (!written) perror(path);
  return !written;
}

static int search(typeset_typesetter *typesetter, const typeset_book *book, const char *phrase) {
  size_t chapter, chapters = typeset_book_chapter_count(book);
  for (chapter = 0; chapter < chapters; chapter++) {
    typeset_error *error;
    char *results;
    if (typeset_search(typesetter, phrase, TYPESET_IGNORE_ALL, chapter, &results, &error) != TYPESET_OK)
      return failed(error);
    printf("%s\n", results);
    typeset_free(results);
  }
  return 0;
}

int main(int count, char **arguments) {
  typeset_error *error;
  typeset_book *book;
  typeset_typesetter *typesetter = NULL;
  typeset_page *page = NULL;
  char *metadata = NULL, *contents = NULL;
  int status = 0;
  if (count < 3) {
    fprintf(stderr, "usage: %s BOOK PAGE.png [PHRASE]\n", arguments[0]);
    return 64;
  }
  if (typeset_open(arguments[1], NULL, &book, &error) != TYPESET_OK) return failed(error);
  if (typeset_book_metadata(book, &metadata, &error) != TYPESET_OK
      || typeset_book_contents(book, &contents, &error) != TYPESET_OK
      || typeset_typesetter_new(book, "{\"pageSize\": [420, 595], \"theme\": \"sepia\"}", &typesetter, &error) != TYPESET_OK
      || typeset_page_first(typesetter, &page, &error) != TYPESET_OK) {
    status = failed(error);
  } else {
    printf("%s\n%s\n", metadata, contents);
    status = write_page(page, arguments[2]);
    if (status == 0 && count > 3) status = search(typesetter, book, arguments[3]);
  }
  typeset_free(metadata);
  typeset_free(contents);
  typeset_page_free(page);
  typeset_typesetter_free(typesetter);
  typeset_book_free(book);
  return status;
}
