// What glibc tells of its allocator.
#include <malloc.h>
