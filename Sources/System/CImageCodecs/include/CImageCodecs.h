#pragma once
#include <stddef.h>
#include <stdint.h>

/// A small facade over the image codecs. No `longjmp` leaves it, and no library type is in its interface.

enum codec_kind { CODEC_UNKNOWN = 0, CODEC_PNG = 1, CODEC_JPEG = 2, CODEC_GIF = 3, CODEC_WEBP = 4 };

typedef struct {
  int kind;              ///< One of `codec_kind`; 0 when the bytes are none of them.
  uint32_t width;        ///< As stored, before the orientation is applied.
  uint32_t height;
  int orientation;       ///< EXIF orientation, 1 to 8.
  int needs_whole_image; ///< Interlaced, progressive or lossless WebP: cannot be scaled while it is read.
} codec_info;

typedef struct {
  uint8_t *pixels;  ///< Premultiplied BGRA rows; released with `codec_free`.
  uint32_t width;
  uint32_t height;
  size_t stride;
  int is_opaque;
  int is_truncated; ///< The data ended or broke before the last row; what could be read is there.
} codec_bitmap;

/// Reads the header only. Returns 1 when the bytes are an image with a size.
int codec_probe(const uint8_t *data, size_t size, codec_info *info);

/// Decodes the first frame, scaled down by a whole factor while it is read, to no less than the target size (when that
/// is not zero) and to at most `max_pixels`. Orientation is not applied. Returns 1 when there is a bitmap.
int codec_decode(const uint8_t *data, size_t size, uint32_t target_width, uint32_t target_height, uint64_t max_pixels,
                 codec_bitmap *bitmap);

void codec_free(void *pixels);

/// Compresses into a zlib stream. `buffer` has `codec_zlib_bound(size)` bytes. Returns the length, 0 on failure.
typedef struct codec_deflater codec_deflater;
codec_deflater *codec_deflater_create(int level);
void codec_deflater_destroy(codec_deflater *deflater);
size_t codec_zlib_bound(codec_deflater *deflater, size_t size);
size_t codec_zlib_compress(codec_deflater *deflater, const uint8_t *data, size_t size, uint8_t *buffer,
                           size_t capacity);
uint32_t codec_crc32(uint32_t crc, const uint8_t *data, size_t size);

// SVG, drawn by librsvg. It aborts the process on a broken promise of its own with some hostile documents; these calls come
// back instead. What such a call held is lost, and its document must not be used again.

/// A length and its unit as librsvg numbers them: px 1, em 2, ex 3, in 4, cm 5, mm 6, pt 7, pc 8.
typedef struct {
  double length;
  int unit;
} codec_svg_length;
typedef struct {
  double x, y, width, height;
} codec_svg_rectangle;

/// Whether librsvg is there.
int codec_svg_available(void);
/// A document; NULL when it cannot be read. One thread at a time may use it.
void *codec_svg_open(const uint8_t *data, size_t size);
void codec_svg_measure(void *document, int *has_width, codec_svg_length *width, int *has_height,
                       codec_svg_length *height, int *has_view_box, codec_svg_rectangle *view_box);
/// Draws on a cairo context: 1 when done, 0 when refused, -1 when the call aborted.
int codec_svg_draw(void *document, void *canvas, const codec_svg_rectangle *viewport);
void codec_svg_close(void *document);

// Resampling of rows of four channels, by weights that add up to one.

/// A row of pixels as numbers, one for each channel.
void resample_widen(const uint8_t *pixels, float *out, size_t width);
/// Widens or narrows a row: each of `width` results takes `counts` pixels from `starts` on, by `longest` weights a result.
void resample_across(const float *pixels, const int32_t *starts, const int32_t *counts, const float *weights,
                     size_t longest, float *out, size_t width);
/// The weighed sum of `count` rows as premultiplied BGRA pixels, rounded to the nearest. Rows have room for whole fours of
/// pixels, which are read.
void resample_down(const float *const *rows, const float *weights, size_t count, uint8_t *out, size_t width);
