#include "CUnicode.h"
#include <unicode/uvernum.h>
#include <unicode/uversion.h>

const char *cu_version(void) { return U_ICU_VERSION; }
