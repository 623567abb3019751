#include "internal.h"

#include <stdlib.h>
#include <string.h>
#include <webp/decode.h>
#include <webp/demux.h>

int webp_probe(const uint8_t *data, size_t size, codec_info *info) {
  WebPBitstreamFeatures features;
  if (!webp_available() || WebPGetFeatures(data, size, &features) != VP8_STATUS_OK) return 0;
  info->width = (uint32_t)features.width;
  info->height = (uint32_t)features.height;
  return 1;
}

int webp_read_profile(const uint8_t *data, size_t size, codec_profile *profile) {
  // Only the extended format has one, and says so (RFC 9649, section 2.7).
  if (size < 30 || memcmp(data + 12, "VP8X", 4) != 0 || !(data[20] & ICCP_FLAG)) return 0;
  WebPData whole = {data, size};
  WebPDemuxState state;
  WebPDemuxer *demuxer = WebPDemuxPartial(&whole, &state);
  WebPChunkIterator chunk;
  int found = 0;
  if (demuxer && WebPDemuxGetChunk(demuxer, "ICCP", 1, &chunk)) {
    found = profile_copy(profile, chunk.chunk.bytes, chunk.chunk.size, 3);
    WebPDemuxReleaseChunkIterator(&chunk);
  }
  WebPDemuxDelete(demuxer);
  return found;
}

static int decode_frame(const uint8_t *data, size_t size, const codec_target *target, codec_bitmap *bitmap) {
  WebPDecoderConfig config;
  if (!WebPInitDecoderConfig(&config)) return 0;
  if (WebPGetFeatures(data, size, &config.input) != VP8_STATUS_OK) return 0;
  uint32_t width = (uint32_t)config.input.width, height = (uint32_t)config.input.height;
  if (width == 0 || height == 0 || (uint64_t)width * height > target->max_pixels) return 0;
  uint8_t *pixels = calloc(height, (size_t)width * 4);
  if (!pixels) return 0;
  config.output.colorspace = MODE_BGRA;
  config.output.is_external_memory = 1;
  config.output.u.RGBA.rgba = pixels;
  config.output.u.RGBA.stride = (int)(width * 4);
  config.output.u.RGBA.size = (size_t)width * 4 * height;
  // The incremental decoder leaves the rows it reached when the data is cut.
  WebPIDecoder *decoder = WebPIDecode(NULL, 0, &config);
  int rows = 0;
  if (decoder) {
    VP8StatusCode status = WebPIUpdate(decoder, data, size);
    int w, h, stride;
    if (status == VP8_STATUS_OK) {
      rows = (int)height;
    } else {
      if (!WebPIDecGetRGB(decoder, &rows, &w, &h, &stride)) rows = 0;
    }
    WebPIDelete(decoder);
  }
  WebPFreeDecBuffer(&config.output);
  int done = 0;
  row_sink sink;
  if (rows > 0 && sink_open(&sink, bitmap, width, height, target)) {
    for (int y = 0; y < rows; y++) {
      uint8_t *row = pixels + (size_t)y * width * 4;
      codec_colors_convert(target->colors, row, width);
      sink_row(&sink, row);
    }
    sink_close(&sink);
    done = 1;
  }
  free(pixels);
  return done;
}

int webp_decode(const uint8_t *data, size_t size, const codec_target *target, codec_bitmap *bitmap) {
  WebPBitstreamFeatures features;
  if (WebPGetFeatures(data, size, &features) != VP8_STATUS_OK) return 0;
  if (!features.has_animation) return decode_frame(data, size, target, bitmap);
  WebPData whole = {data, size};
  WebPDemuxState state;
  WebPDemuxer *demuxer = WebPDemuxPartial(&whole, &state);
  int done = 0;
  if (demuxer) {
    WebPIterator frame;
    if (WebPDemuxGetFrame(demuxer, 1, &frame)) {
      done = decode_frame(frame.fragment.bytes, frame.fragment.size, target, bitmap);
      WebPDemuxReleaseIterator(&frame);
    }
    WebPDemuxDelete(demuxer);
  }
  return done;
}
