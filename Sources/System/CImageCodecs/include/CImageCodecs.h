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

/// Calls into a library that aborts the process on a broken promise of its own, as librsvg does on some hostile
/// documents. An abort ends the call instead: 0 is returned, and what the call was given must not be used again, nor
/// freed. The functions must be C functions called directly, with no frame of another language in between.
typedef void *(*codec_loader)(const uint8_t *data, size_t size, void **error);
typedef int (*codec_drawer)(void *document, void *canvas, const void *viewport, void **error);
int codec_guarded_load(codec_loader load, const uint8_t *data, size_t size, void **error, void **result);
int codec_guarded_draw(codec_drawer draw, void *document, void *canvas, const void *viewport, void **error,
                       int *result);
