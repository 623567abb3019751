#include "CCairo.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

// Pages of text are drawn without cairo, and it brings some twelve libraries along, which take a quarter of the time in which
// the program starts: it is loaded when a first function of it is called. These are the functions that are called; `cairo.h`
// declares them, so the compiler checks each line. They are not seen outside the program, whose other parts may link cairo.

static void *library;
static pthread_once_t loading = PTHREAD_ONCE_INIT;

static void load_library(void) { library = dlopen("libcairo.so.2", RTLD_LAZY | RTLD_LOCAL); }

/// A function of cairo. Without the library the program ends, as it would when it starts if it were linked.
static void *find(const char *name) {
  pthread_once(&loading, load_library);
  void *function = library ? dlsym(library, name) : NULL;
  if (!function) {
    fprintf(stderr, "libcairo.so.2: cannot load %s\n", name);
    abort();
  }
  return function;
}

#define FORWARD(result, name, parameters, arguments)                                                                   \
  __attribute__((visibility("hidden"))) result name parameters {                                                       \
    static __typeof__(&name) function;                                                                                 \
    __typeof__(&name) known = __atomic_load_n(&function, __ATOMIC_RELAXED);                                            \
    if (!known) {                                                                                                      \
      known = (__typeof__(&name))find(#name);                                                                          \
      __atomic_store_n(&function, known, __ATOMIC_RELAXED);                                                            \
    }                                                                                                                  \
    return known arguments;                                                                                            \
  }

#define FORWARD_0(result, name) FORWARD(result, name, (void), ())
#define FORWARD_1(result, name, A) FORWARD(result, name, (A a), (a))
#define FORWARD_2(result, name, A, B) FORWARD(result, name, (A a, B b), (a, b))
#define FORWARD_3(result, name, A, B, C) FORWARD(result, name, (A a, B b, C c), (a, b, c))
#define FORWARD_4(result, name, A, B, C, D) FORWARD(result, name, (A a, B b, C c, D d), (a, b, c, d))
#define FORWARD_5(result, name, A, B, C, D, E) FORWARD(result, name, (A a, B b, C c, D d, E e), (a, b, c, d, e))
#define FORWARD_6(result, name, A, B, C, D, E, F) FORWARD(result, name, (A a, B b, C c, D d, E e, F f), (a, b, c, d, e, f))
#define FORWARD_7(result, name, A, B, C, D, E, F, G) FORWARD(result, name, (A a, B b, C c, D d, E e, F f, G g), (a, b, c, d, e, f, g))

FORWARD_1(void, cairo_clip, cairo_t *)
FORWARD_5(void, cairo_clip_extents, cairo_t *, double *, double *, double *, double *)
FORWARD_1(void, cairo_close_path, cairo_t *)
FORWARD_1(cairo_path_t *, cairo_copy_path_flat, cairo_t *)
FORWARD_1(cairo_t *, cairo_create, cairo_surface_t *)
FORWARD_7(void, cairo_curve_to, cairo_t *, double, double, double, double, double, double)
FORWARD_1(void, cairo_destroy, cairo_t *)
FORWARD_1(void, cairo_fill, cairo_t *)
FORWARD_3(void, cairo_get_current_point, cairo_t *, double *, double *)
FORWARD_1(cairo_pattern_t *, cairo_get_source, cairo_t *)
FORWARD_1(cairo_surface_t *, cairo_get_target, cairo_t *)
FORWARD_3(cairo_surface_t *, cairo_image_surface_create, cairo_format_t, int, int)
FORWARD_5(cairo_surface_t *, cairo_image_surface_create_for_data, unsigned char *, cairo_format_t, int, int, int)
FORWARD_1(unsigned char *, cairo_image_surface_get_data, cairo_surface_t *)
FORWARD_1(int, cairo_image_surface_get_stride, cairo_surface_t *)
FORWARD_3(void, cairo_line_to, cairo_t *, double, double)
FORWARD_4(void, cairo_mask_surface, cairo_t *, cairo_surface_t *, double, double)
FORWARD_3(void, cairo_matrix_multiply, cairo_matrix_t *, const cairo_matrix_t *, const cairo_matrix_t *)
FORWARD_1(void, cairo_mesh_pattern_begin_patch, cairo_pattern_t *)
FORWARD_1(void, cairo_mesh_pattern_end_patch, cairo_pattern_t *)
FORWARD_3(void, cairo_mesh_pattern_line_to, cairo_pattern_t *, double, double)
FORWARD_3(void, cairo_mesh_pattern_move_to, cairo_pattern_t *, double, double)
FORWARD_6(void, cairo_mesh_pattern_set_corner_color_rgba, cairo_pattern_t *, unsigned int, double, double, double,
          double)
FORWARD_3(void, cairo_move_to, cairo_t *, double, double)
FORWARD_1(void, cairo_new_path, cairo_t *)
FORWARD_1(void, cairo_new_sub_path, cairo_t *)
FORWARD_1(void, cairo_paint, cairo_t *)
FORWARD_2(void, cairo_paint_with_alpha, cairo_t *, double)
FORWARD_1(void, cairo_path_destroy, cairo_path_t *)
FORWARD_6(void, cairo_pattern_add_color_stop_rgba, cairo_pattern_t *, double, double, double, double, double)
FORWARD_1(cairo_pattern_t *, cairo_pattern_create_for_surface, cairo_surface_t *)
FORWARD_4(cairo_pattern_t *, cairo_pattern_create_linear, double, double, double, double)
FORWARD_0(cairo_pattern_t *, cairo_pattern_create_mesh)
FORWARD_6(cairo_pattern_t *, cairo_pattern_create_radial, double, double, double, double, double, double)
FORWARD_1(void, cairo_pattern_destroy, cairo_pattern_t *)
FORWARD_2(void, cairo_pattern_set_extend, cairo_pattern_t *, cairo_extend_t)
FORWARD_2(void, cairo_pattern_set_filter, cairo_pattern_t *, cairo_filter_t)
FORWARD_2(void, cairo_pattern_set_matrix, cairo_pattern_t *, const cairo_matrix_t *)
FORWARD_1(void, cairo_pop_group_to_source, cairo_t *)
FORWARD_1(void, cairo_push_group, cairo_t *)
FORWARD_2(cairo_surface_t *, cairo_recording_surface_create, cairo_content_t, const cairo_rectangle_t *)
FORWARD_5(void, cairo_recording_surface_ink_extents, cairo_surface_t *, double *, double *, double *, double *)
FORWARD_5(void, cairo_rectangle, cairo_t *, double, double, double, double)
FORWARD_1(void, cairo_reset_clip, cairo_t *)
FORWARD_1(void, cairo_restore, cairo_t *)
FORWARD_1(void, cairo_save, cairo_t *)
FORWARD_3(void, cairo_scale, cairo_t *, double, double)
FORWARD_4(void, cairo_set_dash, cairo_t *, const double *, int, double)
FORWARD_2(void, cairo_set_fill_rule, cairo_t *, cairo_fill_rule_t)
FORWARD_2(void, cairo_set_line_cap, cairo_t *, cairo_line_cap_t)
FORWARD_2(void, cairo_set_line_width, cairo_t *, double)
FORWARD_2(void, cairo_set_matrix, cairo_t *, const cairo_matrix_t *)
FORWARD_2(void, cairo_set_operator, cairo_t *, cairo_operator_t)
FORWARD_2(void, cairo_set_source, cairo_t *, cairo_pattern_t *)
FORWARD_5(void, cairo_set_source_rgba, cairo_t *, double, double, double, double)
FORWARD_4(void, cairo_set_source_surface, cairo_t *, cairo_surface_t *, double, double)
FORWARD_1(void, cairo_stroke, cairo_t *)
FORWARD_1(void, cairo_surface_destroy, cairo_surface_t *)
FORWARD_1(void, cairo_surface_finish, cairo_surface_t *)
FORWARD_1(void, cairo_surface_flush, cairo_surface_t *)
FORWARD_1(void, cairo_surface_mark_dirty, cairo_surface_t *)
FORWARD_3(void, cairo_surface_set_device_offset, cairo_surface_t *, double, double)
FORWARD_2(void, cairo_transform, cairo_t *, const cairo_matrix_t *)
FORWARD_3(void, cairo_translate, cairo_t *, double, double)
