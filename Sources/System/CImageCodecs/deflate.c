#include "internal.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

// ISA-L takes about a third of libdeflate's time. It is packaged for few architectures, so libdeflate stands in for it. Its second
// level gives the same bytes on every processor with SSE 4.2, where the third depends on AVX-512.
#if HAS_ISAL
typedef struct {
  struct isal_zstream stream;
  uint8_t level_buffer[ISAL_DEF_LVL2_DEFAULT];
} isal_state;
#endif

struct codec_deflater {
  struct libdeflate_compressor *libdeflate; ///< Made when it is first needed.
  void *isal;                               ///< The same; NULL where the library is not installed.
};

codec_deflater *codec_deflater_create(void) {
  return calloc(1, sizeof(codec_deflater));
}

void codec_deflater_destroy(codec_deflater *deflater) {
  if (!deflater) return;
  if (deflater->libdeflate) libdeflate_free_compressor(deflater->libdeflate);
  free(deflater->isal);
  free(deflater);
}

size_t codec_zlib_bound(size_t size) {
  // Of both libraries: ISA-L stores what it cannot shrink in blocks of at most 65535 bytes, with five more each.
  size_t stored = size + (size / 65535 + 1) * 5 + 64;
  size_t bound = libdeflate_zlib_compress_bound(NULL, size);
  return bound > stored ? bound : stored;
}

size_t codec_zlib_compress(codec_deflater *deflater, const uint8_t *data, size_t size, uint8_t *buffer,
                           size_t capacity) {
#if HAS_ISAL
  if (!deflater->isal && isal_available()) deflater->isal = aligned_alloc(64, (sizeof(isal_state) + 63) / 64 * 64);
  if (deflater->isal && size <= UINT32_MAX && capacity <= UINT32_MAX) {
    isal_state *state = deflater->isal;
    struct isal_zstream *stream = &state->stream;
    // The library sets what it needs and leaves the rest, of which it reads the size of the window.
    memset(stream, 0, sizeof *stream);
    isal_deflate_stateless_init(stream);
    stream->level = 2;
    stream->level_buf = state->level_buffer;
    stream->level_buf_size = sizeof state->level_buffer;
    stream->gzip_flag = IGZIP_ZLIB;
    stream->end_of_stream = 1;
    stream->next_in = (uint8_t *)data;
    stream->avail_in = (uint32_t)size;
    stream->next_out = buffer;
    stream->avail_out = (uint32_t)capacity;
    if (isal_deflate_stateless(stream) == COMP_OK) return stream->total_out;
  }
#endif
  if (!deflater->libdeflate) deflater->libdeflate = libdeflate_alloc_compressor(1);
  return deflater->libdeflate ? libdeflate_zlib_compress(deflater->libdeflate, data, size, buffer, capacity) : 0;
}
