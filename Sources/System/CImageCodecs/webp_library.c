#include "internal.h"

// The functions have no visibility of their own yet.
#define WEBP_EXTERN extern
#include <webp/decode.h>
#include <webp/demux.h>

#include <CLoading.h>

#define LIBRARY "libwebp.so.7"
const char webp_library[] = LIBRARY;
AVAILABLE(webp_available)
FORWARD_4(VP8StatusCode, WebPGetFeaturesInternal, const uint8_t *, size_t, WebPBitstreamFeatures *, int)
FORWARD_2(int, WebPInitDecoderConfigInternal, WebPDecoderConfig *, int)
FORWARD_3(WebPIDecoder *, WebPIDecode, const uint8_t *, size_t, WebPDecoderConfig *)
FORWARD_3(VP8StatusCode, WebPIUpdate, WebPIDecoder *, const uint8_t *, size_t)
FORWARD_5(uint8_t *, WebPIDecGetRGB, const WebPIDecoder *, int *, int *, int *, int *)
FORWARD_1(void, WebPIDelete, WebPIDecoder *)
FORWARD_1(void, WebPFreeDecBuffer, WebPDecBuffer *)
#undef LIBRARY

#define LIBRARY "libwebpdemux.so.2"
FORWARD_4(WebPDemuxer *, WebPDemuxInternal, const WebPData *, int, WebPDemuxState *, int)
FORWARD_1(void, WebPDemuxDelete, WebPDemuxer *)
FORWARD_3(int, WebPDemuxGetFrame, const WebPDemuxer *, int, WebPIterator *)
FORWARD_1(void, WebPDemuxReleaseIterator, WebPIterator *)
FORWARD_4(int, WebPDemuxGetChunk, const WebPDemuxer *, const char *, int, WebPChunkIterator *)
FORWARD_1(void, WebPDemuxReleaseChunkIterator, WebPChunkIterator *)
