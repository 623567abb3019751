#include "CMarkdown.h"

// The functions are this module's own, not offered to others.
#define CMARK_GFM_EXPORT
#define CMARK_GFM_EXTENSIONS_EXPORT
#include <cmark-gfm-extension_api.h>
#include <cmark-gfm.h>
#include <cmark-gfm_version.h>

#include <CIsolation.h>
#include <CLoading.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// Each release has a name of its own.
#define LIBRARY "libcmark-gfm.so." CMARK_GFM_VERSION_STRING
AVAILABLE(core_available)
FORWARD_1(cmark_parser *, cmark_parser_new, int)
FORWARD_1(void, cmark_parser_free, cmark_parser *)
FORWARD_3(void, cmark_parser_feed, cmark_parser *, const char *, size_t)
FORWARD_1(cmark_node *, cmark_parser_finish, cmark_parser *)
FORWARD_1(cmark_llist *, cmark_parser_get_syntax_extensions, cmark_parser *)
FORWARD_2(int, cmark_parser_attach_syntax_extension, cmark_parser *, cmark_syntax_extension *)
FORWARD_1(cmark_syntax_extension *, cmark_find_syntax_extension, const char *)
FORWARD_3(char *, cmark_render_html, cmark_node *, int, cmark_llist *)
FORWARD_1(void, cmark_node_free, cmark_node *)
#undef LIBRARY

#define LIBRARY "libcmark-gfm-extensions.so." CMARK_GFM_VERSION_STRING
AVAILABLE(extensions_available)
void cmark_gfm_core_extensions_ensure_registered(void);
FORWARD_0(void, cmark_gfm_core_extensions_ensure_registered)

int markdown_available(void) { return core_available() && extensions_available(); }
// That of the extensions brings the other.
MISSING(markdown_missing_library, markdown_available)

/// Loads the libraries, and all of their functions that are called.
static void prepare(void) {
  cmark_gfm_core_extensions_ensure_registered();
  cmark_parser *parser = cmark_parser_new(0);
  if (!parser) return;
  cmark_syntax_extension *table = cmark_find_syntax_extension("table");
  if (table) cmark_parser_attach_syntax_extension(parser, table);
  cmark_parser_feed(parser, "a", 1);
  cmark_node *document = cmark_parser_finish(parser);
  free(cmark_render_html(document, 0, cmark_parser_get_syntax_extensions(parser)));
  cmark_node_free(document);
  cmark_parser_free(parser);
}

typedef struct {
  const char *text;
  size_t size;
} source;

/// Its status is 0 when all is written.
static int convert(void *context, int out) {
  static const char *const extensions[] = {"table", "strikethrough", "autolink", "tasklist"};
  const source *input = context;
  int options = CMARK_OPT_FOOTNOTES | CMARK_OPT_UNSAFE | CMARK_OPT_VALIDATE_UTF8;
  cmark_parser *parser = cmark_parser_new(options);
  for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++) {
    cmark_syntax_extension *extension = cmark_find_syntax_extension(extensions[i]);
    if (extension) cmark_parser_attach_syntax_extension(parser, extension);
  }
  cmark_parser_feed(parser, input->text, input->size);
  cmark_node *document = cmark_parser_finish(parser);
  char *html = cmark_render_html(document, options, cmark_parser_get_syntax_extensions(parser));
  int done = html && isolated_write(out, html, strlen(html));
  if (ISOLATED_RELEASES) {
    free(html);
    cmark_node_free(document);
    cmark_parser_free(parser);
  }
  return done ? 0 : 1;
}

int markdown_html(const char *text, size_t size, size_t limit, unsigned seconds, size_t memory, uint8_t **html,
                  size_t *html_size) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  *html = NULL;
  *html_size = 0;
  if (!markdown_available()) return 0;
  // In this process, which has threads, and before the other, in which nothing is to be loaded.
  pthread_once(&once, prepare);
  source input = {text, size};
  int status = 0;
  isolated_limits limits = {.output = limit, .memory = memory, .seconds = seconds};
  return isolated_run(convert, &input, limits, &status, html, html_size) == ISOLATED_DONE && status == 0;
}

void markdown_free(uint8_t *html) { free(html); }
