#pragma once
// The functions are this module's own, not offered to others.
#define ZIP_EXTERN
#include <zip.h>

/// The library is installed. Without it its functions do nothing and return 0.
int libzip_is_available(void);
/// The file name of the library where it is not installed; else NULL.
const char *libzip_missing_library(void);
