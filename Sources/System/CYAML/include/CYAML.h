#pragma once
#include <yaml.h>

/// The library is installed. Without it its functions do nothing and return 0.
int yaml_is_available(void);
/// The file name of the library where it is not installed; else NULL.
const char *yaml_missing_library(void);
