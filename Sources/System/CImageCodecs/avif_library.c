#include "internal.h"

// The functions have no visibility of their own yet.
#define AVIF_API
#include <avif/avif.h>

#include <CLoading.h>

#if AVIF_VERSION_MAJOR > 0
#define LIBRARY "libavif.so.16"
#else
#define LIBRARY "libavif.so.15"
#endif
const char avif_library[] = LIBRARY;
AVAILABLE(avif_available)
FORWARD_0(avifDecoder *, avifDecoderCreate)
FORWARD_1(void, avifDecoderDestroy, avifDecoder *)
FORWARD_3(avifResult, avifDecoderSetIOMemory, avifDecoder *, const uint8_t *, size_t)
FORWARD_1(avifResult, avifDecoderParse, avifDecoder *)
FORWARD_1(avifResult, avifDecoderNextImage, avifDecoder *)
FORWARD_2(void, avifRGBImageSetDefaults, avifRGBImage *, const avifImage *)
FORWARD_2(avifResult, avifImageYUVToRGB, const avifImage *, avifRGBImage *)
