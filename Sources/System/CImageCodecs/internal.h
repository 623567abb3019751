#pragma once
#include "CImageCodecs.h"

#if __has_include(<isa-l/igzip_lib.h>)
#include <isa-l/igzip_lib.h>
#define HAS_ISAL 1
int isal_available(void);
#else
#define HAS_ISAL 0
#endif

/// Compiled for processors with AVX2 too; which one runs is settled when the program starts, before a sanitizer is ready. Both
/// give the same results.
#if defined(__x86_64__) && defined(__linux__) && !__has_feature(thread_sanitizer) && !__has_feature(address_sanitizer)
#define WIDE __attribute__((target_clones("default", "avx2")))
#else
#define WIDE
#endif

/// Takes straight BGRA rows of the source, averages squares of `factor` pixels into premultiplied rows, and keeps these or
/// hands them on to be resampled.
typedef struct {
  uint32_t source_width, source_height, factor;
  uint32_t next_row;
  uint32_t *sums;
  int opaque;
  codec_bitmap *bitmap;
  codec_resampler *resampler; ///< NULL where the bitmap keeps the rows.
  uint8_t *line;              ///< A row for the resampler.
  int keeps_rest;             ///< Rows that never came leave the target's memory as it is.
} row_sink;

int sink_open(row_sink *sink, codec_bitmap *bitmap, uint32_t width, uint32_t height, const codec_target *target);
void sink_row(row_sink *sink, const uint8_t *bgra);
/// The same for rows without transparency.
void sink_opaque_row(row_sink *sink, const uint8_t *bgra);
/// Finishes what was read so far; rows that never came stay transparent, or what they were.
void sink_close(row_sink *sink);

/// Fills in a profile with a copy of its bytes. Returns 0 where there are none, where they are too many, or memory is short.
int profile_copy(codec_profile *profile, const uint8_t *bytes, size_t size, int channels);

int png_read_profile(const uint8_t *, size_t, codec_profile *);
int jpeg_read_profile(const uint8_t *, size_t, codec_profile *);
int webp_read_profile(const uint8_t *, size_t, codec_profile *);
int png_decode(const uint8_t *, size_t, const codec_target *, codec_bitmap *);
int jpeg_decode(const uint8_t *, size_t, const codec_target *, codec_bitmap *);
int gif_decode(const uint8_t *, size_t, const codec_target *, codec_bitmap *);
int webp_decode(const uint8_t *, size_t, const codec_target *, codec_bitmap *);
extern const char jpeg_library[], gif_library[], webp_library[], avif_library[], jxl_library[];
int jpeg_available(void);
int gif_available(void);
int webp_available(void);
int webp_probe(const uint8_t *, size_t, codec_info *);
int avif_available(void);
int avif_probe(const uint8_t *, size_t, codec_info *);
int avif_decode(const uint8_t *, size_t, const codec_target *, codec_bitmap *);
int jxl_available(void);
int jxl_probe(const uint8_t *, size_t, codec_info *);
int jxl_decode(const uint8_t *, size_t, const codec_target *, codec_bitmap *);
int bmp_probe(const uint8_t *, size_t, codec_info *);
int bmp_decode(const uint8_t *, size_t, const codec_target *, codec_bitmap *);
int ico_probe(const uint8_t *, size_t, codec_info *);
int ico_decode(const uint8_t *, size_t, const codec_target *, codec_bitmap *);
