#include "CUnicode.h"
#include <unicode/uchar.h>
#include <unicode/uvernum.h>
#include <unicode/uversion.h>

const char *cu_version(void) { return U_ICU_VERSION; }
const char *cu_unicode_version(void) { return U_UNICODE_VERSION; }
