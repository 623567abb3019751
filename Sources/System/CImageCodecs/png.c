#include "internal.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const uint8_t *data;
  size_t left;
} source;

static void read_bytes(png_structp png, png_bytep out, size_t count) {
  source *from = png_get_io_ptr(png);
  if (count > from->left) png_error(png, "the data ends early");
  memcpy(out, from->data, count);
  from->data += count;
  from->left -= count;
}

static void on_error(png_structp png, png_const_charp message) {
  (void)message;
  longjmp(*(jmp_buf *)png_get_error_ptr(png), 1);
}

static void on_warning(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

/// A reader of the bytes, which jumps where it fails; NULL when memory is short.
static png_structp open_reader(source *from, jmp_buf *failure, png_infop *info) {
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, failure, on_error, on_warning);
  if (!png) return NULL;
  *info = png_create_info_struct(png);
  if (!*info) {
    png_destroy_read_struct(&png, NULL, NULL);
    return NULL;
  }
  png_set_user_limits(png, 1000000, 0x7FFFFFFF);
  png_set_chunk_malloc_max(png, 16 << 20);
  png_set_crc_action(png, PNG_CRC_QUIET_USE, PNG_CRC_QUIET_USE);
  png_set_read_fn(png, from, read_bytes);
  return png;
}

int png_read_profile(const uint8_t *data, size_t size, codec_profile *profile) {
  jmp_buf failure;
  source from = {data, size};
  png_infop info;
  png_structp png = open_reader(&from, &failure, &info);
  if (!png) return 0;
  volatile int found = 0;
  if (setjmp(failure) == 0) {
    png_read_info(png, info);
    png_charp name;
    int method;
    png_bytep bytes;
    png_uint_32 count;
    if (png_get_iCCP(png, info, &name, &method, &bytes, &count) != 0)
      found = profile_copy(profile, bytes, count, png_get_color_type(png, info) & PNG_COLOR_MASK_COLOR ? 3 : 1);
  }
  png_destroy_read_struct(&png, &info, NULL);
  return found;
}

int png_decode(const uint8_t *data, size_t size, const codec_target *target, codec_bitmap *bitmap) {
  jmp_buf failure;
  source from = {data, size};
  // Volatile: they are read after a longjmp.
  row_sink *volatile sink = NULL;
  uint8_t *volatile rows = NULL;
  png_infop info;
  png_structp png = open_reader(&from, &failure, &info);
  if (!png) return 0;
  row_sink storage;
  if (setjmp(failure) == 0) {
    png_read_info(png, info);
    uint32_t width = png_get_image_width(png, info), height = png_get_image_height(png, info);
    png_set_expand(png);
    png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    png_set_bgr(png);
    png_set_filler(png, 0xFF, PNG_FILLER_AFTER);
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    if (png_get_rowbytes(png, info) == (size_t)width * 4 &&
        (passes == 1 || (uint64_t)width * height <= target->max_pixels)) {
      if (sink_open(&storage, bitmap, width, height, target)) {
        sink = &storage;
        if (passes == 1) {
          rows = malloc((size_t)width * 4);
          for (uint32_t y = 0; rows && y < height; y++) {
            png_read_row(png, rows, NULL);
            codec_colors_convert(target->colors, rows, width);
            sink_row(&storage, rows);
          }
        } else {
          rows = calloc(height, (size_t)width * 4);
          for (int pass = 0; rows && pass < passes; pass++)
            for (uint32_t y = 0; y < height; y++) png_read_row(png, rows + (size_t)y * width * 4, NULL);
        }
      }
    }
  }
  if (sink) {
    // An interlaced image is handed on whole, however far it was read.
    if (rows && png_get_interlace_type(png, info) != PNG_INTERLACE_NONE)
      for (uint32_t y = 0; y < storage.source_height; y++) {
        uint8_t *row = rows + (size_t)y * storage.source_width * 4;
        codec_colors_convert(target->colors, row, storage.source_width);
        sink_row(&storage, row);
      }
    sink_close(&storage);
  }
  free(rows);
  png_destroy_read_struct(&png, &info, NULL);
  return sink != NULL;
}
