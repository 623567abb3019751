#include "internal.h"

#define JXL_STATIC_DEFINE
#include <CIsolation.h>
#include <jxl/decode.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static JxlDecoder *open_decoder(const uint8_t *data, size_t size, int events) {
  JxlDecoder *decoder = jxl_available() ? JxlDecoderCreate(NULL) : NULL;
  if (!decoder) return NULL;
  if (JxlDecoderSubscribeEvents(decoder, events) == JXL_DEC_SUCCESS &&
      JxlDecoderSetUnpremultiplyAlpha(decoder, JXL_TRUE) == JXL_DEC_SUCCESS &&
      JxlDecoderSetInput(decoder, data, size) == JXL_DEC_SUCCESS) {
    JxlDecoderCloseInput(decoder);
    return decoder;
  }
  JxlDecoderDestroy(decoder);
  return NULL;
}

/// The pixels of the first frame in RGBA; NULL where it cannot be decoded whole.
static uint8_t *read_frame(JxlDecoder *decoder, uint64_t max_pixels, JxlBasicInfo *info) {
  static const JxlPixelFormat format = {4, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};
  static const JxlColorEncoding srgb = {.color_space = JXL_COLOR_SPACE_RGB,
                                        .white_point = JXL_WHITE_POINT_D65,
                                        .primaries = JXL_PRIMARIES_SRGB,
                                        .transfer_function = JXL_TRANSFER_FUNCTION_SRGB,
                                        .rendering_intent = JXL_RENDERING_INTENT_PERCEPTUAL};
  uint8_t *pixels = NULL;
  for (;;) {
    switch (JxlDecoderProcessInput(decoder)) {
    case JXL_DEC_BASIC_INFO:
      if (JxlDecoderGetBasicInfo(decoder, info) != JXL_DEC_SUCCESS || info->xsize == 0 || info->ysize == 0 ||
          (uint64_t)info->xsize * info->ysize > max_pixels) {
        free(pixels);
        return NULL;
      }
      break;
    case JXL_DEC_COLOR_ENCODING:
      // Only images that are kept in the decoder's own colours can be had in others.
      if (info->num_color_channels > 1) (void)JxlDecoderSetPreferredColorProfile(decoder, &srgb);
      break;
    case JXL_DEC_NEED_IMAGE_OUT_BUFFER: {
      size_t size = (size_t)info->xsize * info->ysize * 4;
      free(pixels);
      pixels = calloc(size, 1);
      if (!pixels || JxlDecoderSetImageOutBuffer(decoder, &format, pixels, size) != JXL_DEC_SUCCESS) {
        free(pixels);
        return NULL;
      }
      break;
    }
    case JXL_DEC_FULL_IMAGE: return pixels;
    default: free(pixels); return NULL;
    }
  }
}

// libjxl tells of damaged files on the standard error, which is the program's: it works in a process of its own.

typedef struct {
  const uint8_t *data;
  size_t size;
  uint64_t max_pixels; ///< 0 where only the header is wanted.
} source;

/// Writes width and height, and the rows in RGBA where they are wanted. Its status is 0 when all is written.
static int read_image(void *context, int out) {
  const source *input = context;
  JxlBasicInfo info = {0};
  uint8_t *pixels = NULL;
  JxlDecoder *decoder;
  int read;
  if (input->max_pixels > 0) {
    decoder = open_decoder(input->data, input->size, JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING | JXL_DEC_FULL_IMAGE);
    pixels = decoder ? read_frame(decoder, input->max_pixels, &info) : NULL;
    read = pixels != NULL;
  } else {
    // The size is that of the upright image: the decoder turns it.
    decoder = open_decoder(input->data, input->size, JXL_DEC_BASIC_INFO);
    read = decoder && JxlDecoderProcessInput(decoder) == JXL_DEC_BASIC_INFO &&
           JxlDecoderGetBasicInfo(decoder, &info) == JXL_DEC_SUCCESS;
  }
  uint32_t dimensions[2] = {info.xsize, info.ysize};
  int written = read && isolated_write(out, dimensions, sizeof dimensions) &&
                (!pixels || isolated_write(out, pixels, (size_t)info.xsize * info.ysize * 4));
  if (ISOLATED_RELEASES) {
    free(pixels);
    if (decoder) JxlDecoderDestroy(decoder);
  }
  return written ? 0 : 1;
}

/// Reads an image of 3 × 2 pixels, so that all functions are loaded, which the other process then has.
static void load_functions(void) {
  static const uint8_t image[] = {
      0xFF, 0x0A, 0x08, 0x40, 0xB0, 0x12, 0x08, 0x08, 0x10, 0x00, 0x70, 0x00, 0x4B, 0x18, 0x8B, 0x15,
      0xC2, 0x09, 0xAA, 0x17, 0xF0, 0xAF, 0x07, 0x10, 0x01, 0xF2, 0xB7, 0xED, 0x73, 0xF9, 0xAB, 0xDF,
      0x80, 0x57, 0xF2, 0x57, 0xBF, 0x01, 0xAF, 0x00};
  JxlBasicInfo info = {0};
  JxlDecoder *decoder =
      open_decoder(image, sizeof image, JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING | JXL_DEC_FULL_IMAGE);
  if (!decoder) return;
  free(read_frame(decoder, 6, &info));
  JxlDecoderDestroy(decoder);
}

/// The result of `read_image`; NULL where it fails. To be freed.
static uint8_t *run(const uint8_t *data, size_t size, uint64_t max_pixels, size_t *count) {
  if (!jxl_available()) return NULL;
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load_functions);
  source input = {data, size, max_pixels};
  isolated_limits limits = {.output = max_pixels * 4 + 8, .memory = (size_t)4 << 30, .seconds = 60};
  uint8_t *bytes;
  int status;
  if (isolated_run(read_image, &input, limits, &status, &bytes, count) == ISOLATED_DONE && status == 0 && *count >= 8)
    return bytes;
  free(bytes);
  return NULL;
}

int jxl_probe(const uint8_t *data, size_t size, codec_info *info) {
  size_t count;
  uint8_t *bytes = run(data, size, 0, &count);
  if (!bytes) return 0;
  memcpy(&info->width, bytes, 4);
  memcpy(&info->height, bytes + 4, 4);
  free(bytes);
  return 1;
}

int jxl_decode(const uint8_t *data, size_t size, const codec_target *target, codec_bitmap *bitmap) {
  size_t count;
  uint8_t *bytes = run(data, size, target->max_pixels, &count);
  if (!bytes) return 0;
  uint32_t width, height;
  memcpy(&width, bytes, 4);
  memcpy(&height, bytes + 4, 4);
  row_sink sink;
  int done = (uint64_t)width * height * 4 + 8 == count && sink_open(&sink, bitmap, width, height, target);
  if (done) {
    for (uint32_t y = 0; y < height; y++) {
      uint8_t *row = bytes + 8 + (size_t)y * width * 4;
      for (uint32_t x = 0; x < width; x++) {
        uint8_t red = row[x * 4];
        row[x * 4] = row[x * 4 + 2];
        row[x * 4 + 2] = red;
      }
      sink_row(&sink, row);
    }
    sink_close(&sink);
  }
  free(bytes);
  return done;
}
