#include "internal.h"

#define JXL_STATIC_DEFINE
#include <jxl/decode.h>
#include <stdlib.h>

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

/// The size is that of the upright image: the decoder turns it.
int jxl_probe(const uint8_t *data, size_t size, codec_info *info) {
  JxlDecoder *decoder = open_decoder(data, size, JXL_DEC_BASIC_INFO);
  if (!decoder) return 0;
  JxlBasicInfo basic;
  int found = JxlDecoderProcessInput(decoder) == JXL_DEC_BASIC_INFO &&
              JxlDecoderGetBasicInfo(decoder, &basic) == JXL_DEC_SUCCESS;
  if (found) {
    info->width = basic.xsize;
    info->height = basic.ysize;
  }
  JxlDecoderDestroy(decoder);
  return found;
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
          (uint64_t)info->xsize * info->ysize > max_pixels)
        return NULL;
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

int jxl_decode(const uint8_t *data, size_t size, const codec_target *target, codec_bitmap *bitmap) {
  JxlDecoder *decoder =
      open_decoder(data, size, JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING | JXL_DEC_FULL_IMAGE);
  if (!decoder) return 0;
  JxlBasicInfo info = {0};
  uint8_t *pixels = read_frame(decoder, target->max_pixels, &info);
  JxlDecoderDestroy(decoder);
  row_sink sink;
  int done = pixels && sink_open(&sink, bitmap, info.xsize, info.ysize, target);
  if (done) {
    for (uint32_t y = 0; y < info.ysize; y++) {
      uint8_t *row = pixels + (size_t)y * info.xsize * 4;
      for (uint32_t x = 0; x < info.xsize; x++) {
        uint8_t red = row[x * 4];
        row[x * 4] = row[x * 4 + 2];
        row[x * 4 + 2] = red;
      }
      sink_row(&sink, row);
    }
    sink_close(&sink);
  }
  free(pixels);
  return done;
}
