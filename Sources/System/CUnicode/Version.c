#include "CUnicode.h"

#include <unicode/uvernum.h>

const char *cu_version(void) { return U_ICU_VERSION; }
