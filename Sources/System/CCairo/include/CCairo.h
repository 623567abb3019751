#pragma once
// By its folder in the compiler's own path: no library of pkg-config's is linked, see `CCairo.c`.
#include <cairo/cairo.h>
