#pragma once
#include <stddef.h>
#include <stdint.h>

enum kindle_outcome {
  KINDLE_DONE = 0,
  KINDLE_PROTECTED = 1,
  KINDLE_UNREADABLE = 2,
  KINDLE_TOO_LARGE = 3,
  KINDLE_NOT_INSTALLED = 4
};

/// The parts of a book one after the other, each a head and its bytes.
typedef struct {
  uint32_t kind;      ///< Of `kindle_kind`.
  uint32_t number;    ///< By which other parts name it.
  char extension[8];  ///< Such as `html`, `css`, `jpg`.
  char media_type[32];
  uint64_t size;
} kindle_part;
enum kindle_kind { KINDLE_MARKUP = 0, KINDLE_FLOW = 1, KINDLE_RESOURCE = 2 };

/// The library libmobi is installed.
int kindle_available(void);
/// The file name of the library where it is not installed; else NULL.
const char *kindle_missing_library(void);

/// Takes a MOBI or AZW3 book apart by libmobi, in a process of its own that has `seconds` of time and `memory` bytes: damaged files
/// may end or fill it. `parts` is released with `kindle_free`.
///
/// - Returns: one of `kindle_outcome`.
int kindle_read(const uint8_t *data, size_t size, size_t limit, unsigned seconds, size_t memory, uint8_t **parts,
                size_t *parts_size);
void kindle_free(uint8_t *parts);
