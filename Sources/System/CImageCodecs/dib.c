#include "dib.h"

#include <stdlib.h>
#include <string.h>

static uint32_t u16(const uint8_t *p) { return (uint32_t)p[1] << 8 | p[0]; }
static uint32_t u32(const uint8_t *p) { return u16(p + 2) << 16 | u16(p); }

/// Values of the field `compression` (BITMAPINFOHEADER).
enum { RGB = 0, RLE8 = 1, RLE4 = 2, BITFIELDS = 3, ALPHA_BITFIELDS = 6 };

/// The masks of pixels of 16 bits and more: those of the header, or of the format.
static int read_masks(dib *out, const uint8_t *d, size_t size, uint32_t header, uint32_t compression, int is_icon) {
  if (compression == BITFIELDS || compression == ALPHA_BITFIELDS) {
    if ((out->bits != 16 && out->bits != 32) || header < 40) return 0;
    // In the header, or right behind one that has no room for them.
    int has_alpha = header >= 56 || compression == ALPHA_BITFIELDS;
    size_t end = 40 + (has_alpha ? 16 : 12);
    if (end > size) return 0;
    for (int i = 0; i < 3; i++) out->masks[2 - i] = u32(d + 40 + 4 * i);
    out->masks[3] = has_alpha ? u32(d + 52) : 0;
    if (header < end) out->pixels = end;
    return 1;
  }
  int is_small = out->bits == 16;
  for (int i = 0; i < 3; i++) out->masks[i] = is_small ? 0x1Fu << 5 * i : 0xFFu << 8 * i;
  // The fourth byte has no meaning in files.
  out->masks[3] = is_icon && out->bits == 32 ? 0xFF000000u : 0;
  return 1;
}

int dib_read(dib *out, const uint8_t *d, size_t size, int is_icon) {
  memset(out, 0, sizeof *out);
  if (size < 12) return 0;
  uint32_t header = u32(d), compression = RGB, used = 0;
  int64_t width, height;
  if (header == 12) {
    width = u16(d + 4);
    height = u16(d + 6);
    out->bits = (int)u16(d + 10);
    out->entry = 3;
  } else {
    if ((header < 16 || header > 64) && header != 108 && header != 124) return 0;
    if (header > size) return 0;
    width = (int32_t)u32(d + 4);
    height = (int32_t)u32(d + 8);
    out->bits = (int)u16(d + 14);
    if (header >= 20) compression = u32(d + 16);
    if (header >= 36) used = u32(d + 32);
    out->entry = 4;
  }
  if (height < 0) {
    out->is_top_down = 1;
    height = -height;
  }
  if (is_icon) height /= 2;
  if (width <= 0 || height <= 0 || width > INT32_MAX || height > INT32_MAX) return 0;
  out->width = (uint32_t)width;
  out->height = (uint32_t)height;
  out->pixels = header;
  switch (compression) {
  case RGB: break;
  case BITFIELDS:
  case ALPHA_BITFIELDS:
    // OS/2 has another meaning for the number.
    if (header == 64) return 0;
    break;
  case RLE8:
  case RLE4:
    if (out->is_top_down || is_icon || out->bits != (compression == RLE8 ? 8 : 4)) return 0;
    out->compression = (int)compression;
    break;
  default: return 0;
  }
  switch (out->bits) {
  case 1:
  case 2:
  case 4:
  case 8: {
    if (compression >= BITFIELDS) return 0;
    uint32_t most = 1u << out->bits;
    size_t room = (size - header) / (size_t)out->entry;
    out->colors = used > 0 && used < most ? used : most;
    if (out->colors > room) out->colors = (uint32_t)room;
    out->palette = d + header;
    break;
  }
  case 16:
  case 24:
  case 32:
    if (!read_masks(out, d, size, header, compression, is_icon)) return 0;
    // Colours for displays that have few.
    out->colors = used <= 256 ? used : 0;
    break;
  default: return 0;
  }
  out->pixels += (size_t)out->colors * (size_t)out->entry;
  return 1;
}

size_t dib_stride(const dib *bitmap) { return ((size_t)bitmap->width * (size_t)bitmap->bits + 31) / 32 * 4; }

/// A field of a pixel, from 0 to 255.
static uint8_t field(uint32_t pixel, uint32_t mask) {
  if (mask == 0) return 0;
  int shift = __builtin_ctz(mask);
  uint64_t most = mask >> shift;
  return (uint8_t)(((uint64_t)((pixel & mask) >> shift) * 255 + most / 2) / most);
}

static void put_color(const dib *bitmap, uint32_t index, uint8_t *out) {
  memset(out, 0, 3);
  // A number beyond the palette is black.
  if (index < bitmap->colors) memcpy(out, bitmap->palette + (size_t)index * (size_t)bitmap->entry, 3);
  out[3] = 255;
}

static uint32_t pixel(const dib *bitmap, const uint8_t *row, uint32_t x) {
  switch (bitmap->bits) {
  case 16: return u16(row + (size_t)x * 2);
  case 24: return (uint32_t)row[(size_t)x * 3 + 2] << 16 | u16(row + (size_t)x * 3);
  case 32: return u32(row + (size_t)x * 4);
  default: {
    size_t bit = (size_t)x * (size_t)bitmap->bits;
    return row[bit / 8] >> (8 - bitmap->bits - (int)(bit % 8)) & ((1u << bitmap->bits) - 1);
  }
  }
}

/// The pixels of a row as straight BGRA.
static void convert(const dib *bitmap, const uint8_t *row, int has_alpha, uint8_t *out) {
  for (uint32_t x = 0; x < bitmap->width; x++, out += 4) {
    uint32_t value = pixel(bitmap, row, x);
    if (bitmap->bits <= 8) {
      put_color(bitmap, value, out);
    } else {
      for (int i = 0; i < 3; i++) out[i] = field(value, bitmap->masks[i]);
      out[3] = has_alpha ? field(value, bitmap->masks[3]) : 255;
    }
  }
}

/// A row as it is shown, from the top; NULL where the data ended before its end.
static const uint8_t *row_at(const dib *bitmap, const uint8_t *pixels, size_t size, size_t stride, uint32_t y) {
  uint64_t row = bitmap->is_top_down ? y : bitmap->height - 1 - y;
  return row < size / stride ? pixels + row * stride : NULL;
}

/// Some pixel is not wholly transparent: pictures without any such were written by programs that know no alpha.
static int has_alpha(const dib *bitmap, const uint8_t *pixels, size_t size, size_t stride) {
  if (bitmap->bits <= 8 || bitmap->masks[3] == 0) return 0;
  for (uint32_t y = 0; y < bitmap->height; y++) {
    const uint8_t *row = row_at(bitmap, pixels, size, stride, y);
    for (uint32_t x = 0; row && x < bitmap->width; x++)
      if (pixel(bitmap, row, x) & bitmap->masks[3]) return 1;
  }
  return 0;
}

/// Runs of equal pixels, and pixels one by one. `canvas` has two bytes a pixel from the bottom: whether it is set, and its colour.
static void expand(const dib *bitmap, const uint8_t *d, size_t size, uint8_t *canvas) {
  uint64_t x = 0, y = 0;
  int is_small = bitmap->compression == RLE4;
  size_t at = 0;
#define PUT(value)                                                      \
  do {                                                                  \
    if (x < bitmap->width) {                                            \
      uint8_t *place = canvas + (y * bitmap->width + x) * 2;            \
      place[0] = 1;                                                     \
      place[1] = (uint8_t)(value);                                      \
    }                                                                   \
    x++;                                                                \
  } while (0)
  while (at + 2 <= size && y < bitmap->height) {
    uint8_t count = d[at], value = d[at + 1];
    at += 2;
    if (count > 0) {
      for (int i = 0; i < count; i++) PUT(!is_small ? value : i % 2 ? value & 15 : value >> 4);
    } else if (value == 0) {
      x = 0;
      y++;
    } else if (value == 1) {
      return;
    } else if (value == 2) {
      if (at + 2 > size) return;
      x += d[at];
      y += d[at + 1];
      at += 2;
    } else {
      size_t bytes = is_small ? ((size_t)value + 1) / 2 : value;
      if (bytes > size - at) return;
      for (int i = 0; i < value; i++) PUT(!is_small ? d[at + i] : i % 2 ? d[at + i / 2] & 15 : d[at + i / 2] >> 4);
      // Padded to words.
      at += bytes + bytes % 2;
    }
  }
#undef PUT
}

static int decode_runs(const dib *bitmap, const uint8_t *pixels, size_t size, row_sink *sink, uint8_t *line) {
  uint8_t *canvas = calloc(bitmap->height, (size_t)bitmap->width * 2);
  if (!canvas) return 0;
  expand(bitmap, pixels, size, canvas);
  for (uint32_t y = 0; y < bitmap->height; y++) {
    const uint8_t *row = canvas + (size_t)(bitmap->height - 1 - y) * bitmap->width * 2;
    for (uint32_t x = 0; x < bitmap->width; x++) {
      // Pixels that are skipped are transparent.
      memset(line + (size_t)x * 4, 0, 4);
      if (row[x * 2]) put_color(bitmap, row[x * 2 + 1], line + (size_t)x * 4);
    }
    sink_row(sink, line);
  }
  free(canvas);
  return 1;
}

static void decode_rows(const dib *bitmap, const uint8_t *pixels, size_t size, int is_icon, row_sink *sink,
                        uint8_t *line) {
  size_t stride = dib_stride(bitmap), mask_stride = ((size_t)bitmap->width + 31) / 32 * 4;
  int alpha = has_alpha(bitmap, pixels, size, stride);
  const uint8_t *mask = NULL;
  size_t mask_size = 0;
  if (is_icon && !alpha && bitmap->height < size / stride) {
    mask = pixels + (size_t)bitmap->height * stride;
    mask_size = size - (size_t)bitmap->height * stride;
  }
  for (uint32_t y = 0; y < bitmap->height; y++) {
    const uint8_t *row = row_at(bitmap, pixels, size, stride, y);
    if (row)
      convert(bitmap, row, alpha, line);
    else
      memset(line, 0, (size_t)bitmap->width * 4);
    const uint8_t *bits = mask ? row_at(bitmap, mask, mask_size, mask_stride, y) : NULL;
    for (uint32_t x = 0; bits && x < bitmap->width; x++)
      if (bits[x / 8] >> (7 - x % 8) & 1) line[(size_t)x * 4 + 3] = 0;
    sink_row(sink, line);
  }
}

int dib_decode(const dib *bitmap, const uint8_t *pixels, size_t size, int is_icon, const codec_target *target,
               codec_bitmap *out) {
  if (bitmap->compression && (uint64_t)bitmap->width * bitmap->height > target->max_pixels) return 0;
  // Nothing at all is no picture.
  if (size < (bitmap->compression ? 2 : dib_stride(bitmap))) return 0;
  uint8_t *line = malloc((size_t)bitmap->width * 4);
  row_sink sink;
  if (!line || !sink_open(&sink, out, bitmap->width, bitmap->height, target)) {
    free(line);
    return 0;
  }
  int done = 1;
  if (bitmap->compression)
    done = decode_runs(bitmap, pixels, size, &sink, line);
  else
    decode_rows(bitmap, pixels, size, is_icon, &sink, line);
  sink_close(&sink);
  free(line);
  return done;
}
