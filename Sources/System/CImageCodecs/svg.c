#include "CImageCodecs.h"

#include <dlfcn.h>
#include <pthread.h>

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
  void *library = dlopen("librsvg-2.so.2", RTLD_LAZY | RTLD_LOCAL);
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
