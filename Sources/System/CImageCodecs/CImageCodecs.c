#include "internal.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

static uint32_t be32(const uint8_t *p) {
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}
static uint32_t be16(const uint8_t *p) { return (uint32_t)p[0] << 8 | p[1]; }
static uint32_t le16(const uint8_t *p) { return (uint32_t)p[1] << 8 | p[0]; }

/// The orientation tag (0x0112) of IFD 0 in an EXIF block that starts at the TIFF header.
static int exif_orientation(const uint8_t *p, size_t n) {
  if (n < 8) return 1;
  int little = p[0] == 'I' && p[1] == 'I';
  if (!little && !(p[0] == 'M' && p[1] == 'M')) return 1;
#define U16(o) (little ? le16(p + (o)) : be16(p + (o)))
#define U32(o) (little ? (le16(p + (o)) | le16(p + (o) + 2) << 16) : be32(p + (o)))
  size_t ifd = U32(4);
  if (ifd > n - 2) return 1;
  size_t count = U16(ifd);
  for (size_t i = 0; i < count; i++) {
    size_t entry = ifd + 2 + i * 12;
    if (entry + 12 > n) break;
    if (U16(entry) == 0x0112) {
      unsigned value = U16(entry + 8);
      return value >= 1 && value <= 8 ? (int)value : 1;
    }
  }
#undef U16
#undef U32
  return 1;
}

static int probe_png(const uint8_t *d, size_t n, codec_info *info) {
  if (n < 29 || memcmp(d + 12, "IHDR", 4) != 0) return 0;
  info->width = be32(d + 16);
  info->height = be32(d + 20);
  info->needs_whole_image = d[28] != 0;
  size_t at = 8;
  while (at + 12 <= n) {
    size_t length = be32(d + at);
    if (length > n - at - 12) break;
    if (memcmp(d + at + 4, "eXIf", 4) == 0) info->orientation = exif_orientation(d + at + 8, length);
    if (memcmp(d + at + 4, "IDAT", 4) == 0) break;
    at += length + 12;
  }
  return 1;
}

static int probe_jpeg(const uint8_t *d, size_t n, codec_info *info) {
  size_t at = 2;
  while (at + 4 <= n) {
    if (d[at] != 0xFF) {
      at++;
      continue;
    }
    uint8_t marker = d[at + 1];
    if (marker == 0xFF) {
      at++;
      continue;
    }
    if (marker == 0 || marker == 1 || (marker >= 0xD0 && marker <= 0xD8)) {
      at += 2;
      continue;
    }
    if (marker == 0xD9 || marker == 0xDA) return 0;
    size_t length = be16(d + at + 2);
    if (length < 2) return 0;
    if (marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC) {
      if (at + 9 > n) return 0;
      info->height = be16(d + at + 5);
      info->width = be16(d + at + 7);
      info->has_inks = at + 10 <= n && d[at + 9] == 4;
      info->needs_whole_image = marker == 0xC2 || marker == 0xC6 || marker == 0xCA || marker == 0xCE;
      return 1;
    }
    if (marker == 0xE1 && length >= 10 && at + 2 + length <= n && memcmp(d + at + 4, "Exif\0\0", 6) == 0)
      info->orientation = exif_orientation(d + at + 10, length - 8);
    at += 2 + length;
  }
  return 0;
}

/// The file of ISO/IEC 14496-12 is of AVIF's brand, or says that it can be read as such.
static int is_avif(const uint8_t *d, size_t n) {
  if (n < 16 || memcmp(d + 4, "ftyp", 4) != 0) return 0;
  size_t end = be32(d) < n ? be32(d) : n;
  for (size_t at = 8; at + 4 <= end; at += at == 8 ? 8 : 4)
    if (memcmp(d + at, "avif", 4) == 0 || memcmp(d + at, "avis", 4) == 0) return 1;
  return 0;
}

/// The bytes are a codestream of JPEG XL, or a container of one (ISO/IEC 18181-2).
static int is_jxl(const uint8_t *d, size_t n) {
  return (n >= 2 && d[0] == 0xFF && d[1] == 0x0A) ||
         (n >= 12 && memcmp(d, "\0\0\0\x0CJXL \r\n\x87\n", 12) == 0);
}

int codec_probe(const uint8_t *d, size_t n, codec_info *info) {
  memset(info, 0, sizeof *info);
  info->orientation = 1;
  int found = 0;
  if (n >= 8 && memcmp(d, "\x89PNG\r\n\x1a\n", 8) == 0) {
    info->kind = CODEC_PNG;
    found = probe_png(d, n, info);
  } else if (n >= 4 && d[0] == 0xFF && d[1] == 0xD8 && d[2] == 0xFF) {
    info->kind = CODEC_JPEG;
    found = probe_jpeg(d, n, info);
  } else if (n >= 13 && (memcmp(d, "GIF87a", 6) == 0 || memcmp(d, "GIF89a", 6) == 0)) {
    info->kind = CODEC_GIF;
    info->width = le16(d + 6);
    info->height = le16(d + 8);
    info->needs_whole_image = 1;
    found = 1;
  } else if (n >= 16 && memcmp(d, "RIFF", 4) == 0 && memcmp(d + 8, "WEBP", 4) == 0) {
    info->kind = CODEC_WEBP;
    info->needs_whole_image = 1;
    found = webp_probe(d, n, info);
  } else if (is_avif(d, n)) {
    info->kind = CODEC_AVIF;
    info->needs_whole_image = 1;
    found = avif_probe(d, n, info);
  } else if (is_jxl(d, n)) {
    info->kind = CODEC_JXL;
    info->needs_whole_image = 1;
    found = jxl_probe(d, n, info);
  } else if (n >= 18 && memcmp(d, "BM", 2) == 0) {
    info->kind = CODEC_BMP;
    found = bmp_probe(d, n, info);
  } else if (n >= 22 && (memcmp(d, "\0\0\1\0", 4) == 0 || memcmp(d, "\0\0\2\0", 4) == 0)) {
    // A cursor is an icon with a point.
    info->kind = CODEC_ICO;
    found = ico_probe(d, n, info);
  }
  return found && info->width > 0 && info->height > 0;
}

int codec_decode(const uint8_t *d, size_t n, const codec_target *target, codec_bitmap *bitmap) {
  memset(bitmap, 0, sizeof *bitmap);
  codec_info info;
  if (!codec_probe(d, n, &info)) return 0;
  switch (info.kind) {
  case CODEC_PNG: return png_decode(d, n, target, bitmap);
  case CODEC_JPEG: return jpeg_decode(d, n, target, bitmap);
  case CODEC_GIF: return gif_decode(d, n, target, bitmap);
  case CODEC_WEBP: return webp_decode(d, n, target, bitmap);
  case CODEC_AVIF: return avif_decode(d, n, target, bitmap);
  case CODEC_JXL: return jxl_decode(d, n, target, bitmap);
  case CODEC_BMP: return bmp_decode(d, n, target, bitmap);
  case CODEC_ICO: return ico_decode(d, n, target, bitmap);
  default: return 0;
  }
}

/// The largest profile that is read, in bytes: those of displays have a few kilobytes, of presses one or two megabytes.
static const size_t largest_profile = 1 << 22;

int profile_copy(codec_profile *profile, const uint8_t *bytes, size_t size, int channels) {
  if (size == 0 || size > largest_profile) return 0;
  profile->bytes = malloc(size);
  if (!profile->bytes) return 0;
  memcpy(profile->bytes, bytes, size);
  profile->size = size;
  profile->channels = channels;
  return 1;
}

int codec_read_profile(int kind, const uint8_t *d, size_t n, codec_profile *profile) {
  switch (kind) {
  case CODEC_PNG: return png_read_profile(d, n, profile);
  case CODEC_JPEG: return jpeg_read_profile(d, n, profile);
  case CODEC_WEBP: return webp_read_profile(d, n, profile);
  default: return 0;
  }
}

void codec_free(void *pixels) { free(pixels); }

/// The largest whole factor that keeps the image at or above the least size and at or below the pixel bound.
static uint32_t sink_factor(uint32_t width, uint32_t height, const codec_target *target) {
  uint32_t factor = 1;
  if (target->least_width > 0 && target->least_height > 0) {
    uint32_t fx = width / target->least_width, fy = height / target->least_height;
    factor = fx < fy ? fx : fy;
    if (factor < 1) factor = 1;
  }
  while (((uint64_t)width + factor - 1) / factor * (((uint64_t)height + factor - 1) / factor) > target->max_pixels)
    factor++;
  return factor > 256 ? 256 : factor;
}

int sink_open(row_sink *sink, codec_bitmap *bitmap, uint32_t width, uint32_t height, const codec_target *target) {
  uint32_t factor = sink_factor(width, height, target);
  memset(sink, 0, sizeof *sink);
  sink->source_width = width;
  sink->source_height = height;
  sink->factor = factor;
  sink->opaque = 1;
  sink->bitmap = bitmap;
  bitmap->width = (width + factor - 1) / factor;
  bitmap->height = (height + factor - 1) / factor;
  bitmap->stride = (size_t)bitmap->width * 4;
  if (target->pixels) {
    sink->resampler =
        codec_resampler_create(bitmap->width, bitmap->height, target->pixels, target->stride, target->width,
                               target->height);
    sink->keeps_rest = target->is_drawn_over;
    sink->line = malloc(bitmap->stride);
  } else {
    bitmap->pixels = calloc(bitmap->height, bitmap->stride);
  }
  if (factor > 1) sink->sums = calloc((size_t)bitmap->width * 4, sizeof(uint32_t));
  if (target->pixels ? sink->resampler && sink->line : bitmap->pixels != NULL)
    if (factor == 1 || sink->sums) return 1;
  codec_resampler_destroy(sink->resampler);
  free(sink->line);
  free(bitmap->pixels);
  free(sink->sums);
  bitmap->pixels = NULL;
  sink->sums = NULL;
  return 0;
}

/// The place where a row of the bitmap is put together.
static uint8_t *sink_place(row_sink *sink, uint32_t row) {
  return sink->resampler ? sink->line : sink->bitmap->pixels + (size_t)row * sink->bitmap->stride;
}

static void sink_flush(row_sink *sink, uint32_t row, uint32_t rows) {
  uint8_t *out = sink_place(sink, row);
  uint32_t last = sink->bitmap->width - 1;
  uint32_t tail = sink->source_width - last * sink->factor;
  for (uint32_t x = 0; x <= last; x++) {
    uint32_t count = (x == last ? tail : sink->factor) * rows;
    uint32_t *sum = sink->sums + (size_t)x * 4;
    for (int c = 0; c < 4; c++) {
      out[x * 4 + c] = (uint8_t)((sum[c] + count / 2) / count);
      sum[c] = 0;
    }
  }
  if (sink->resampler) codec_resampler_row(sink->resampler, out);
}

void sink_row(row_sink *sink, const uint8_t *p) {
  if (sink->next_row >= sink->source_height) return;
  uint32_t width = sink->source_width;
  if (sink->factor == 1) {
    uint8_t *row = sink_place(sink, sink->next_row), *out = row;
    for (uint32_t x = 0; x < width; x++, p += 4, out += 4) {
      uint32_t a = p[3];
      if (a == 255) {
        memcpy(out, p, 4);
      } else {
        sink->opaque = 0;
        out[0] = (uint8_t)((p[0] * a + 127) / 255);
        out[1] = (uint8_t)((p[1] * a + 127) / 255);
        out[2] = (uint8_t)((p[2] * a + 127) / 255);
        out[3] = (uint8_t)a;
      }
    }
    if (sink->resampler) codec_resampler_row(sink->resampler, row);
    sink->next_row++;
    return;
  }
  uint32_t *sum = sink->sums;
  uint32_t left = sink->factor;
  for (uint32_t x = 0; x < width; x++, p += 4) {
    uint32_t a = p[3];
    if (a == 255) {
      sum[0] += p[0];
      sum[1] += p[1];
      sum[2] += p[2];
    } else {
      sink->opaque = 0;
      sum[0] += (p[0] * a + 127) / 255;
      sum[1] += (p[1] * a + 127) / 255;
      sum[2] += (p[2] * a + 127) / 255;
    }
    sum[3] += a;
    if (--left == 0) {
      left = sink->factor;
      sum += 4;
    }
  }
  sink->next_row++;
  if (sink->next_row % sink->factor == 0) sink_flush(sink, sink->next_row / sink->factor - 1, sink->factor);
}

void sink_opaque_row(row_sink *sink, const uint8_t *p) {
  if (sink->factor > 1 || sink->next_row >= sink->source_height) {
    sink_row(sink, p);
    return;
  }
  if (sink->resampler) {
    codec_resampler_row(sink->resampler, p);
  } else {
    memcpy(sink->bitmap->pixels + (size_t)sink->next_row * sink->bitmap->stride, p, (size_t)sink->source_width * 4);
  }
  sink->next_row++;
}

void sink_close(row_sink *sink) {
  if (sink->factor > 1 && sink->next_row % sink->factor != 0)
    sink_flush(sink, sink->next_row / sink->factor, sink->next_row % sink->factor);
  if (sink->next_row < sink->source_height) {
    sink->opaque = 0;
    sink->bitmap->is_truncated = 1;
  }
  sink->bitmap->is_opaque = sink->opaque;
  if (sink->resampler && !sink->keeps_rest) {
    memset(sink->line, 0, sink->bitmap->stride);
    while (codec_resampler_row(sink->resampler, sink->line)) {}
  }
  codec_resampler_destroy(sink->resampler);
  free(sink->line);
  free(sink->sums);
  sink->resampler = NULL;
  sink->line = NULL;
  sink->sums = NULL;
}

uint32_t codec_crc32(uint32_t crc, const uint8_t *data, size_t size) { return libdeflate_crc32(crc, data, size); }

const char *codec_missing_library(int kind) {
  if (kind == CODEC_JPEG && !jpeg_available()) return jpeg_library;
  if (kind == CODEC_GIF && !gif_available()) return gif_library;
  if (kind == CODEC_WEBP && !webp_available()) return webp_library;
  if (kind == CODEC_AVIF && !avif_available()) return avif_library;
  if (kind == CODEC_JXL && !jxl_available()) return jxl_library;
  return NULL;
}
