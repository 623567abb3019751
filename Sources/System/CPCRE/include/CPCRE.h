#pragma once
#include <stddef.h>
#include <stdint.h>

/// The file name of the library PCRE2 where it is not installed; else NULL.
const char *pcre_missing_library(void);
/// Compiles a pattern of UTF-8. Classes and cases are Unicode's. Where it is not valid the result is NULL, `offset` is
/// the byte at fault, and `message` has why, which is cut to `room` bytes.
void *pcre_compile(const char *text, size_t size, size_t *offset, char *message, size_t room);
void pcre_free(void *pattern);
/// Finds a match in a subject of UTF-8 within `steps` steps. Any thread may call it.
///
/// - Returns: 1 for a match, 0 for none, -1 where the steps were too few.
int pcre_matches(const void *pattern, const uint8_t *subject, size_t size, uint32_t steps);
