#include "dib.h"

#include <string.h>

static uint32_t u16(const uint8_t *p) { return (uint32_t)p[1] << 8 | p[0]; }
static uint32_t u32(const uint8_t *p) { return u16(p + 2) << 16 | u16(p); }

/// A picture in the file of an icon: a PNG file, or a bitmap without the header of a file.
typedef struct {
  const uint8_t *data;
  size_t size;
  int is_png;
  dib bitmap;
  codec_info info;
} picture;

static int read_picture(const uint8_t *data, size_t size, picture *out) {
  out->data = data;
  out->size = size;
  out->is_png = size >= 8 && memcmp(data, "\x89PNG\r\n\x1a\n", 8) == 0;
  if (out->is_png) return codec_probe(data, size, &out->info);
  memset(&out->info, 0, sizeof out->info);
  if (!dib_read(&out->bitmap, data, size, 1)) return 0;
  out->info.width = out->bitmap.width;
  out->info.height = out->bitmap.height;
  return 1;
}

/// The largest picture of the file, of equal ones that of most colours, as browsers show it.
static int best_picture(const uint8_t *data, size_t size, picture *best) {
  uint64_t best_area = 0;
  int best_bits = 0;
  size_t count = size < 6 ? 0 : u16(data + 4);
  for (size_t i = 0; i < count && 22 + i * 16 <= size; i++) {
    const uint8_t *entry = data + 6 + i * 16;
    size_t length = u32(entry + 8), start = u32(entry + 12);
    if (start >= size) continue;
    picture one;
    if (!read_picture(data + start, length < size - start ? length : size - start, &one)) continue;
    uint64_t area = (uint64_t)one.info.width * one.info.height;
    int bits = one.is_png ? 32 : one.bitmap.bits;
    if (area < best_area || (area == best_area && bits <= best_bits)) continue;
    best_area = area;
    best_bits = bits;
    *best = one;
  }
  return best_area > 0;
}

int ico_probe(const uint8_t *data, size_t size, codec_info *info) {
  picture best;
  if (!best_picture(data, size, &best)) return 0;
  info->width = best.info.width;
  info->height = best.info.height;
  info->needs_whole_image = best.info.needs_whole_image;
  return 1;
}

int ico_decode(const uint8_t *data, size_t size, const codec_target *target, codec_bitmap *out) {
  picture best;
  if (!best_picture(data, size, &best)) return 0;
  if (best.is_png) return png_decode(best.data, best.size, target, out);
  if (best.bitmap.pixels > best.size) return 0;
  return dib_decode(&best.bitmap, best.data + best.bitmap.pixels, best.size - best.bitmap.pixels, 1, target, out);
}
