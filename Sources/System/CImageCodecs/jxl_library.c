#include "internal.h"

// The functions have no visibility of their own yet.
#define JXL_STATIC_DEFINE
#include <jxl/decode.h>
#if __has_include(<jxl/version.h>)
#include <jxl/version.h>
#endif

#include <CLoading.h>

#define TEXT_OF(value) #value
#define TEXT(value) TEXT_OF(value)
// Headers of 0.7 do not tell their version.
#ifdef JPEGXL_MINOR_VERSION
#define LIBRARY "libjxl.so." TEXT(JPEGXL_MAJOR_VERSION) "." TEXT(JPEGXL_MINOR_VERSION)
#else
#define LIBRARY "libjxl.so.0.7"
#endif
const char jxl_library[] = LIBRARY;
AVAILABLE(jxl_available)
FORWARD_1(JxlDecoder *, JxlDecoderCreate, const JxlMemoryManager *)
FORWARD_1(void, JxlDecoderDestroy, JxlDecoder *)
FORWARD_2(JxlDecoderStatus, JxlDecoderSubscribeEvents, JxlDecoder *, int)
FORWARD_2(JxlDecoderStatus, JxlDecoderSetUnpremultiplyAlpha, JxlDecoder *, JXL_BOOL)
FORWARD_3(JxlDecoderStatus, JxlDecoderSetInput, JxlDecoder *, const uint8_t *, size_t)
FORWARD_1(void, JxlDecoderCloseInput, JxlDecoder *)
FORWARD_1(JxlDecoderStatus, JxlDecoderProcessInput, JxlDecoder *)
FORWARD_2(JxlDecoderStatus, JxlDecoderGetBasicInfo, const JxlDecoder *, JxlBasicInfo *)
FORWARD_2(JxlDecoderStatus, JxlDecoderSetPreferredColorProfile, JxlDecoder *, const JxlColorEncoding *)
FORWARD_4(JxlDecoderStatus, JxlDecoderSetImageOutBuffer, JxlDecoder *, const JxlPixelFormat *, void *, size_t)
