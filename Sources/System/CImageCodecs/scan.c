#include "internal.h"

enum { BLOCK = 64 };

/// Not 0 where one of the bytes of a block may end plain text of XML.
WIDE static uint8_t has_markup(const uint8_t *bytes) {
  uint8_t found = 0;
  for (size_t index = 0; index < BLOCK; index++) {
    uint8_t byte = bytes[index];
    found |= (uint8_t)(((byte < 0x28) & (byte != 0x20)) | (byte == 0x3C) | (byte == 0x5D) | (byte == 0xEF));
  }
  return found;
}

size_t codec_plain_length(const uint8_t *bytes, size_t count) {
  size_t index = 0;
  while (index + BLOCK <= count && !has_markup(bytes + index)) index += BLOCK;
  while (index < count) {
    uint8_t byte = bytes[index];
    if ((byte < 0x28 && byte != 0x20) || byte == 0x3C || byte == 0x5D || byte == 0xEF) break;
    index++;
  }
  return index;
}

/// Not 0 where one of the bytes of a block is in the range.
WIDE static uint8_t has_in_range(const uint8_t *bytes, uint8_t first, uint8_t span) {
  uint8_t found = 0;
  for (size_t index = 0; index < BLOCK; index++) found |= (uint8_t)((uint8_t)(bytes[index] - first) <= span);
  return found;
}

size_t codec_find_in_range(const uint8_t *bytes, size_t count, uint8_t first, uint8_t last) {
  uint8_t span = (uint8_t)(last - first);
  size_t index = 0;
  while (index + BLOCK <= count && !has_in_range(bytes + index, first, span)) index += BLOCK;
  while (index < count && (uint8_t)(bytes[index] - first) > span) index++;
  return index;
}
