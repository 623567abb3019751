#include "internal.h"

#if HAS_ISAL
#include <CLoading.h>

#define LIBRARY "libisal.so.2"
AVAILABLE(isal_available)
MISSING(codec_isal_missing_library, isal_available)
FORWARD_1(void, isal_deflate_init, struct isal_zstream *)
FORWARD_1(int, isal_deflate, struct isal_zstream *)
#else
// It is not used by this build, and not missed.
const char *codec_isal_missing_library(void) { return NULL; }
#endif
