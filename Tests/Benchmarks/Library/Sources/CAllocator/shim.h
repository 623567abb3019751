// Figures of glibc's allocator.
#include <malloc.h>
