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

#if HAS_ISAL
// The loop for long input takes the place of the second byte in its table of hashes from the address of the stream (`shr rcx, 16` in
// `isal_deflate_icf_body_hash_hist` of version 2.30 finds that address there, not the data), so that a match now and then depends on
// where memory lies. The loop for short input is free of this. It takes the first bytes: as many as it hashes, in a block of their own.
enum { LEAD = 4 };

/// The stream's size; 0 where the library fails.
static size_t isal_zlib_compress(isal_state *state, const uint8_t *data, uint32_t size, uint8_t *buffer, uint32_t capacity) {
  struct isal_zstream *stream = &state->stream;
  // The library sets what it needs and leaves the rest, of which it reads the size of the window.
  memset(stream, 0, sizeof *stream);
  isal_deflate_init(stream);
  stream->level = 2;
  stream->level_buf = state->level_buffer;
  stream->level_buf_size = sizeof state->level_buffer;
  stream->gzip_flag = IGZIP_ZLIB;
  stream->next_out = buffer;
  stream->avail_out = capacity;
  uint32_t lead = size > LEAD ? LEAD : 0;
  stream->next_in = (uint8_t *)data;
  if (lead) {
    stream->avail_in = lead;
    stream->flush = SYNC_FLUSH;
    if (isal_deflate(stream) != COMP_OK) return 0;
  }
  stream->flush = NO_FLUSH;
  stream->end_of_stream = 1;
  stream->avail_in = size - lead;
  if (isal_deflate(stream) != COMP_OK || stream->internal_state.state != ZSTATE_END) return 0;
  return stream->total_out;
}
#endif

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
    size_t length = isal_zlib_compress(deflater->isal, data, (uint32_t)size, buffer, (uint32_t)capacity);
    if (length) return length;
  }
#endif
  if (!deflater->libdeflate) deflater->libdeflate = libdeflate_alloc_compressor(1);
  return deflater->libdeflate ? libdeflate_zlib_compress(deflater->libdeflate, data, size, buffer, capacity) : 0;
}
