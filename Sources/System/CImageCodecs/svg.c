#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CImageCodecs.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIBRARY "librsvg-2.so.2"

// librsvg brings some forty libraries along, which take milliseconds and megabytes to load, and few books have drawings: it is
// loaded when the first one is met. These are its declarations as far as they are used here (librsvg 2.52 and later).
typedef struct GError GError;
static struct {
  void *(*from_data)(const uint8_t *, size_t, GError **);
  void (*set_dpi)(void *, double);
  void (*dimensions)(void *, int *, codec_svg_length *, int *, codec_svg_length *, int *, codec_svg_rectangle *);
  int (*render)(void *, void *, const codec_svg_rectangle *, GError **);
  void (*error_free)(GError *);
  void (*unref)(void *);
} rsvg;
static int is_loaded;
static pthread_once_t loading = PTHREAD_ONCE_INIT;

static void load_library(void) {
  void *library = dlopen(LIBRARY, RTLD_LAZY | RTLD_LOCAL);
  if (!library) return;
  // A handle of a library finds the symbols of those it depends on, too.
  *(void **)&rsvg.from_data = dlsym(library, "rsvg_handle_new_from_data");
  *(void **)&rsvg.set_dpi = dlsym(library, "rsvg_handle_set_dpi");
  *(void **)&rsvg.dimensions = dlsym(library, "rsvg_handle_get_intrinsic_dimensions");
  *(void **)&rsvg.render = dlsym(library, "rsvg_handle_render_document");
  *(void **)&rsvg.error_free = dlsym(library, "g_error_free");
  *(void **)&rsvg.unref = dlsym(library, "g_object_unref");
  is_loaded = rsvg.from_data && rsvg.set_dpi && rsvg.dimensions && rsvg.render && rsvg.error_free && rsvg.unref;
}

int codec_svg_available(void) {
  pthread_once(&loading, load_library);
  return is_loaded;
}

int codec_svg_installed(void) {
  // Distributions keep their libraries in one folder. Where others come first, or it is in another, the loader knows.
  Dl_info libc;
  char path[4096];
  if (!getenv("LD_LIBRARY_PATH") && dladdr((void *)getenv, &libc) && libc.dli_fname) {
    const char *end = strrchr(libc.dli_fname, '/');
    int length = end ? (int)(end - libc.dli_fname) : 0;
    if (end && snprintf(path, sizeof path, "%.*s/" LIBRARY, length, libc.dli_fname) < (int)sizeof path &&
        access(path, R_OK) == 0)
      return 1;
  }
  return codec_svg_available();
}

const char *codec_svg_missing_library(void) { return codec_svg_available() ? NULL : LIBRARY; }

void *codec_svg_open(const uint8_t *data, size_t size) {
  if (!codec_svg_available()) return NULL;
  GError *error = NULL;
  void *document = rsvg.from_data(data, size, &error);
  if (error) rsvg.error_free(error);
  if (document) rsvg.set_dpi(document, 96);
  return document;
}

void codec_svg_measure(void *document, int *has_width, codec_svg_length *width, int *has_height,
                       codec_svg_length *height, int *has_view_box, codec_svg_rectangle *view_box) {
  rsvg.dimensions(document, has_width, width, has_height, height, has_view_box, view_box);
}

int codec_svg_draw(void *document, void *canvas, const codec_svg_rectangle *viewport) {
  GError *error = NULL;
  int result = rsvg.render(document, canvas, viewport, &error);
  if (error) rsvg.error_free(error);
  return result != 0;
}

void codec_svg_close(void *document) { rsvg.unref(document); }
