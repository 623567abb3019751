#pragma once
// By its folder in the compiler's own path: no library of pkg-config's is linked, see `CCairo.c`.
#include <cairo/cairo-pdf.h>
#include <cairo/cairo.h>

/// The library is installed. Without it its functions do nothing and return 0.
int cairo_is_available(void);
/// The file name of the library where it is not installed; else NULL.
const char *cairo_missing_library(void);
