#include "internal.h"

#if HAS_ISAL
#include <CLoading.h>

#define LIBRARY "libisal.so.2"
AVAILABLE(isal_available)
FORWARD_1(void, isal_deflate_init, struct isal_zstream *)
FORWARD_1(int, isal_deflate, struct isal_zstream *)
#endif
