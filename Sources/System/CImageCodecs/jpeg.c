#include "internal.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

typedef struct {
  struct jpeg_error_mgr base;
  jmp_buf failure;
} failure_manager;

static void on_exit_error(j_common_ptr info) { longjmp(((failure_manager *)info->err)->failure, 1); }
static void on_message(j_common_ptr info, int level) {
  (void)info;
  (void)level;
}
static void on_output(j_common_ptr info) { (void)info; }

/// A progressive file may repeat its scans without end; each costs a pass over the image.
static void on_progress(j_common_ptr info) {
  if (info->is_decompressor && ((j_decompress_ptr)info)->input_scan_number > 200)
    longjmp(((failure_manager *)info->err)->failure, 1);
}

/// A file whose faults are jumps to `errors->failure`.
static void set_up(struct jpeg_decompress_struct *info, failure_manager *errors) {
  memset(info, 0, sizeof *info);
  info->err = jpeg_std_error(&errors->base);
  errors->base.error_exit = on_exit_error;
  errors->base.emit_message = on_message;
  errors->base.output_message = on_output;
}

int jpeg_read_profile(const uint8_t *data, size_t size, codec_profile *profile) {
  struct jpeg_decompress_struct info;
  failure_manager errors;
  set_up(&info, &errors);
  volatile int found = 0;
  if (setjmp(errors.failure) == 0) {
    jpeg_create_decompress(&info);
    jpeg_mem_src(&info, data, size);
    jpeg_save_markers(&info, JPEG_APP0 + 2, 0xFFFF);
    JOCTET *bytes;
    unsigned count;
    if (jpeg_read_header(&info, TRUE) == JPEG_HEADER_OK && jpeg_read_icc_profile(&info, &bytes, &count)) {
      found = profile_copy(profile, bytes, count, info.num_components);
      free(bytes);
    }
  }
  jpeg_destroy_decompress(&info);
  return found;
}

/// Rows of inks as Adobe writes them, inverted (255 is no ink), as light. Files without its marker are of the same kind to browsers.
static void mix_inks(uint8_t *row, uint32_t width) {
  for (uint8_t *p = row; p < row + (size_t)width * 4; p += 4) {
    uint32_t c = p[0], m = p[1], y = p[2], k = p[3];
    p[0] = (uint8_t)(y * k / 255);
    p[1] = (uint8_t)(m * k / 255);
    p[2] = (uint8_t)(c * k / 255);
    p[3] = 255;
  }
}

int jpeg_decode(const uint8_t *data, size_t size, const codec_target *target, codec_bitmap *bitmap) {
  struct jpeg_decompress_struct info;
  failure_manager errors;
  struct jpeg_progress_mgr progress;
  row_sink storage;
  row_sink *volatile sink = NULL;
  uint8_t *volatile line = NULL;
  set_up(&info, &errors);
  memset(&progress, 0, sizeof progress);
  if (setjmp(errors.failure) == 0) {
    jpeg_create_decompress(&info);
    progress.progress_monitor = on_progress;
    info.progress = &progress;
    jpeg_mem_src(&info, data, size);
    if (jpeg_read_header(&info, TRUE) == JPEG_HEADER_OK) {
      int is_cmyk = info.num_components == 4;
      info.out_color_space = is_cmyk ? JCS_CMYK : JCS_EXT_BGRA;
      info.dct_method = JDCT_ISLOW;
      info.scale_num = 1;
      info.scale_denom = 1;
      if (target->least_width > 0 && target->least_height > 0)
        while (info.scale_denom < 8 && info.image_width / (info.scale_denom * 2) >= target->least_width &&
               info.image_height / (info.scale_denom * 2) >= target->least_height)
          info.scale_denom *= 2;
      if (!jpeg_has_multiple_scans(&info) || (uint64_t)info.image_width * info.image_height <= target->max_pixels) {
        jpeg_start_decompress(&info);
        uint32_t width = info.output_width, height = info.output_height;
        line = malloc((size_t)width * 4);
        if (line && sink_open(&storage, bitmap, width, height, target)) {
          sink = &storage;
          while (info.output_scanline < height) {
            uint8_t *row = line;
            if (jpeg_read_scanlines(&info, &row, 1) != 1) break;
            if (is_cmyk && !target->colors) mix_inks(row, width);
            codec_colors_convert(target->colors, row, width);
            sink_opaque_row(&storage, row);
          }
        }
      }
    }
  }
  if (sink) sink_close(&storage);
  jpeg_destroy_decompress(&info);
  free(line);
  return sink != NULL;
}
