#pragma once
#include "internal.h"

/// A device-independent bitmap of Windows or OS/2: the content of a BMP file, and of an icon.
typedef struct {
  uint32_t width, height;
  int is_top_down;
  int bits;               ///< Of a pixel: 1, 2, 4, 8, 16, 24 or 32.
  int compression;        ///< 0 none, 1 RLE8, 2 RLE4; masks count as none.
  uint32_t masks[4];      ///< Of blue, green, red and alpha in pixels of 16 bits and more; alpha's may be 0.
  const uint8_t *palette; ///< Blue, green and red, `entry` bytes each.
  uint32_t colors;
  int entry;
  size_t pixels;          ///< Where the palette ends, from the start of the header.
} dib;

/// Reads a header and bounds its palette. An icon's is twice as high as its picture, and its fourth byte is alpha.
int dib_read(dib *out, const uint8_t *data, size_t size, int is_icon);
/// Bytes of a row that is not compressed.
size_t dib_stride(const dib *bitmap);
/// Draws pixels, which may be cut off, with the mask of transparency behind those of an icon.
int dib_decode(const dib *bitmap, const uint8_t *pixels, size_t size, int is_icon, const codec_target *target,
               codec_bitmap *out);
