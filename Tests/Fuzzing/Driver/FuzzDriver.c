#include "FuzzDriver.h"

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*target)(const uint8_t *, size_t));
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int fuzz_main(int count, char **arguments) { return LLVMFuzzerRunDriver(&count, &arguments, LLVMFuzzerTestOneInput); }
