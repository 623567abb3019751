#include "dib.h"

static uint32_t u32(const uint8_t *p) {
  return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

/// Bytes before the header of the bitmap (BITMAPFILEHEADER).
enum { FILE_HEADER = 14 };

int bmp_probe(const uint8_t *data, size_t size, codec_info *info) {
  dib bitmap;
  if (size < FILE_HEADER || !dib_read(&bitmap, data + FILE_HEADER, size - FILE_HEADER, 0)) return 0;
  info->width = bitmap.width;
  info->height = bitmap.height;
  info->needs_whole_image = bitmap.compression != 0;
  return 1;
}

int bmp_decode(const uint8_t *data, size_t size, const codec_target *target, codec_bitmap *out) {
  dib bitmap;
  if (size < FILE_HEADER || !dib_read(&bitmap, data + FILE_HEADER, size - FILE_HEADER, 0)) return 0;
  // The place that the file names; one inside of its headers is none.
  size_t start = u32(data + 10);
  if (start < FILE_HEADER + 12) start = FILE_HEADER + bitmap.pixels;
  if (start > size) return 0;
  return dib_decode(&bitmap, data + start, size - start, 0, target, out);
}
