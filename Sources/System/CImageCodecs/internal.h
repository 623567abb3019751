#pragma once
#include "CImageCodecs.h"

/// Takes straight BGRA rows of the source and averages squares of `factor` pixels into premultiplied rows.
typedef struct {
  uint32_t source_width, source_height, factor;
  uint32_t next_row;
  uint32_t *sums;
  int opaque;
  codec_bitmap *bitmap;
} row_sink;

/// The largest whole factor that keeps the image at or above the target and at or below the pixel bound.
uint32_t sink_factor(uint32_t width, uint32_t height, uint32_t target_width, uint32_t target_height,
                     uint64_t max_pixels);
int sink_open(row_sink *sink, codec_bitmap *bitmap, uint32_t width, uint32_t height, uint32_t factor);
void sink_row(row_sink *sink, const uint8_t *bgra);
/// The same for rows without transparency.
void sink_opaque_row(row_sink *sink, const uint8_t *bgra);
/// Finishes what was read so far; rows that never came stay transparent.
void sink_close(row_sink *sink);

int png_decode(const uint8_t *, size_t, uint32_t, uint32_t, uint64_t, codec_bitmap *);
int jpeg_decode(const uint8_t *, size_t, uint32_t, uint32_t, uint64_t, codec_bitmap *);
int gif_decode(const uint8_t *, size_t, uint32_t, uint32_t, uint64_t, codec_bitmap *);
int webp_decode(const uint8_t *, size_t, uint32_t, uint32_t, uint64_t, codec_bitmap *);
int webp_probe(const uint8_t *, size_t, codec_info *);
