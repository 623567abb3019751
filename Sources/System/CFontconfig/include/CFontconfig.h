#pragma once
#include <fontconfig/fontconfig.h>

/// The library is installed. Without it its functions do nothing and return 0.
int fontconfig_is_available(void);
/// The file name of the library where it is not installed; else NULL.
const char *fontconfig_missing_library(void);
