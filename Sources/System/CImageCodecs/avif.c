#include "internal.h"

#include <avif/avif.h>
#include <stdlib.h>

/// A decoder whose boxes have been read; NULL where they cannot be. Files that break rules which do not matter are read.
static avifDecoder *open_decoder(const uint8_t *data, size_t size) {
  avifDecoder *decoder = avif_available() ? avifDecoderCreate() : NULL;
  if (!decoder) return NULL;
  decoder->strictFlags = AVIF_STRICT_DISABLED;
  decoder->ignoreXMP = AVIF_TRUE;
  decoder->ignoreExif = AVIF_TRUE;
  decoder->maxThreads = 1;
  if (avifDecoderSetIOMemory(decoder, data, size) == AVIF_RESULT_OK && avifDecoderParse(decoder) == AVIF_RESULT_OK)
    return decoder;
  avifDecoderDestroy(decoder);
  return NULL;
}

/// The EXIF orientation of the turn (`irot`) and then the mirroring (`imir`) of an image (ISO/IEC 23008-12, 6.5.10 and 6.5.12).
static int orientation(const avifImage *image) {
  static const int turned[4] = {1, 8, 3, 6};
  static const int top_to_bottom[4] = {4, 5, 2, 7};
  static const int left_to_right[4] = {2, 7, 4, 5};
  int angle = image->transformFlags & AVIF_TRANSFORM_IROT ? image->irot.angle & 3 : 0;
  if (!(image->transformFlags & AVIF_TRANSFORM_IMIR)) return turned[angle];
#if AVIF_VERSION_MAJOR > 0
  int axis = image->imir.axis;
#else
  int axis = image->imir.mode;
#endif
  return axis == 0 ? top_to_bottom[angle] : left_to_right[angle];
}

int avif_probe(const uint8_t *data, size_t size, codec_info *info) {
  avifDecoder *decoder = open_decoder(data, size);
  if (!decoder) return 0;
  info->width = decoder->image->width;
  info->height = decoder->image->height;
  info->orientation = orientation(decoder->image);
  avifDecoderDestroy(decoder);
  return 1;
}

int avif_decode(const uint8_t *data, size_t size, const codec_target *target, codec_bitmap *bitmap) {
  avifDecoder *decoder = open_decoder(data, size);
  if (!decoder) return 0;
  int done = 0;
  uint32_t width = decoder->image->width, height = decoder->image->height;
  if (width > 0 && height > 0 && (uint64_t)width * height <= target->max_pixels &&
      avifDecoderNextImage(decoder) == AVIF_RESULT_OK) {
    avifRGBImage rgb;
    avifRGBImageSetDefaults(&rgb, decoder->image);
    rgb.format = AVIF_RGB_FORMAT_BGRA;
    rgb.depth = 8;
    rgb.rowBytes = width * 4;
    rgb.pixels = calloc(height, (size_t)width * 4);
    row_sink sink;
    if (rgb.pixels && avifImageYUVToRGB(decoder->image, &rgb) == AVIF_RESULT_OK &&
        sink_open(&sink, bitmap, width, height, target)) {
      for (uint32_t y = 0; y < height; y++) sink_row(&sink, rgb.pixels + (size_t)y * width * 4);
      sink_close(&sink);
      done = 1;
    }
    free(rgb.pixels);
  }
  avifDecoderDestroy(decoder);
  return done;
}
