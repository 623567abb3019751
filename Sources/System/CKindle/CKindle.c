#include "CKindle.h"

#include <CIsolation.h>
#include <CLoading.h>
#include <mobi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// libmobi writes to the standard error, and is linked by nothing else: its functions are looked up once.
#define LIBRARY "libmobi.so.0"
AVAILABLE(kindle_available)
MISSING(kindle_missing_library, kindle_available)

static struct {
  __typeof__(&mobi_init) init;
  __typeof__(&mobi_load_file) load_file;
  __typeof__(&mobi_is_encrypted) is_encrypted;
  __typeof__(&mobi_init_rawml) init_rawml;
  __typeof__(&mobi_parse_rawml_opt) parse_rawml;
  __typeof__(&mobi_get_filemeta_by_type) filemeta;
  __typeof__(&mobi_decode_font_resource) decode_font;
  __typeof__(&mobi_free_rawml) free_rawml;
  __typeof__(&mobi_free) free;
} library;

static int find_functions(void) {
  static const char *const names[] = {
      "mobi_init",       "mobi_load_file",            "mobi_is_encrypted",        "mobi_init_rawml",
      "mobi_parse_rawml_opt", "mobi_get_filemeta_by_type", "mobi_decode_font_resource", "mobi_free_rawml",
      "mobi_free",
  };
  void **functions = (void **)&library;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!(functions[i] = loading_find(LIBRARY, names[i]))) return 0;
  return 1;
}

static int write_parts(int out, const MOBIPart *part, uint32_t kind) {
  for (; part; part = part->next) {
    MOBIFileMeta meta = library.filemeta(part->type);
    kindle_part head = {.kind = kind, .number = (uint32_t)part->uid, .size = part->size};
    const uint8_t *bytes = part->data;
    unsigned char *font = NULL;
    if (part->type == T_FONT) {
      size_t size = 0;
      if (library.decode_font(&font, &size, (MOBIPart *)part) != MOBI_SUCCESS || !font) continue;
      bytes = font;
      head.size = size;
      int is_opentype = size > 4 && memcmp(font, "OTTO", 4) == 0;
      strcpy(head.extension, is_opentype ? "otf" : "ttf");
      strcpy(head.media_type, is_opentype ? "font/otf" : "font/ttf");
    } else {
      strncpy(head.extension, meta.extension, sizeof head.extension - 1);
      strncpy(head.media_type, meta.mime_type, sizeof head.media_type - 1);
    }
    if (!bytes) head.size = 0;
    int written = isolated_write(out, &head, sizeof head) && isolated_write(out, bytes, head.size);
    if (ISOLATED_RELEASES) free(font);
    if (!written) return 0;
  }
  return 1;
}

typedef struct {
  const uint8_t *data;
  size_t size;
} source;

/// The book as it was before it was compiled; with its contents, or without where these are damaged.
static MOBIRawml *parse(const MOBIData *book) {
  for (int with_contents = 1; with_contents >= 0; with_contents--) {
    MOBIRawml *raw = library.init_rawml(book);
    if (raw && library.parse_rawml(raw, book, with_contents, false, true) == MOBI_SUCCESS) return raw;
    if (ISOLATED_RELEASES) library.free_rawml(raw);
  }
  return NULL;
}

static int take_apart(MOBIData *book, FILE *file, int out) {
  MOBI_RET loaded = library.load_file(book, file);
  if (loaded == MOBI_FILE_ENCRYPTED || (loaded == MOBI_SUCCESS && library.is_encrypted(book))) return KINDLE_PROTECTED;
  if (loaded != MOBI_SUCCESS) return KINDLE_UNREADABLE;
  MOBIRawml *raw = parse(book);
  if (!raw) return KINDLE_UNREADABLE;
  // The first part of the flow is the markup again, before it is divided.
  const MOBIPart *flow = raw->flow ? raw->flow->next : NULL;
  int done = write_parts(out, raw->markup, KINDLE_MARKUP) && write_parts(out, flow, KINDLE_FLOW) &&
             write_parts(out, raw->resources, KINDLE_RESOURCE);
  if (ISOLATED_RELEASES) library.free_rawml(raw);
  return done ? KINDLE_DONE : KINDLE_UNREADABLE;
}

static int convert(void *context, int out) {
  const source *input = context;
  FILE *file = fmemopen((void *)input->data, input->size, "rb");
  MOBIData *book = library.init();
  int outcome = file && book ? take_apart(book, file, out) : KINDLE_UNREADABLE;
  if (ISOLATED_RELEASES) {
    library.free(book);
    if (file) fclose(file);
  }
  return outcome;
}

int kindle_read(const uint8_t *data, size_t size, size_t bound, unsigned seconds, size_t memory, uint8_t **parts,
                size_t *parts_size) {
  *parts = NULL;
  *parts_size = 0;
  // In this process, so that nothing has to be loaded in the other.
  if (!kindle_available() || !find_functions()) return KINDLE_NOT_INSTALLED;
  source book = {data, size};
  int status = 0;
  isolated_limits limits = {.output = bound, .memory = memory, .seconds = seconds};
  switch (isolated_run(convert, &book, limits, &status, parts, parts_size)) {
  case ISOLATED_DONE: return status;
  case ISOLATED_FAILED: return KINDLE_UNREADABLE;
  default: return KINDLE_TOO_LARGE;
  }
}

void kindle_free(uint8_t *parts) { free(parts); }
