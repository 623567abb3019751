// What glibc lets programs say of its allocator.
#include <malloc.h>
