#pragma once
#include <stddef.h>
#include <stdint.h>

/// A small facade over the image codecs. No `longjmp` leaves it, and no library type is in its interface.

enum codec_kind {
  CODEC_UNKNOWN = 0,
  CODEC_PNG = 1,
  CODEC_JPEG = 2,
  CODEC_GIF = 3,
  CODEC_WEBP = 4,
  CODEC_AVIF = 5,
  CODEC_JXL = 6,
  CODEC_BMP = 7,
  CODEC_ICO = 8
};

typedef struct {
  int kind;              ///< One of `codec_kind`; 0 when the bytes are none of them.
  uint32_t width;        ///< As stored, before the orientation is applied.
  uint32_t height;
  int orientation;       ///< EXIF orientation, 1 to 8.
  int needs_whole_image; ///< Interlaced or progressive, or of a format that cannot be scaled while it is read.
  int has_inks;          ///< A JPEG file of four channels.
} codec_info;

typedef struct {
  uint8_t *pixels;  ///< Premultiplied BGRA rows; released with `codec_free`. NULL where the target has taken them.
  uint32_t width;
  uint32_t height;
  size_t stride;
  int is_opaque;
  int is_truncated; ///< The data ended or broke before the last row; what could be read is there.
} codec_bitmap;

/// Reads the header only. Returns 1 when the bytes are an image with a size.
int codec_probe(const uint8_t *data, size_t size, codec_info *info);

/// The file name of the library that images of the kind need, where it is not installed; else NULL.
const char *codec_missing_library(int kind);

/// The ICC profile in the file of an image.
typedef struct {
  uint8_t *bytes; ///< Released with `codec_free`.
  size_t size;
  int channels;   ///< Of the pixels that it stands with: 1, 3, or 4 for inks.
} codec_profile;

/// Reads the profile that a PNG (W3C PNG 3, section 11.3.2.3), JPEG (ICC.1:2022, annex B) or WebP file (RFC 9649, section 2.7.1.4)
/// holds, undamaged or not. Returns 1 when there is one.
int codec_read_profile(int kind, const uint8_t *data, size_t size, codec_profile *profile);

/// The way from the colours of an ICC profile to those of sRGB, by Little CMS. Any number of threads may use it.
typedef struct codec_colors codec_colors;
/// The library Little CMS is installed.
int codec_colors_available(void);
/// The file name of Little CMS where it is not installed; else NULL.
const char *codec_colors_missing_library(void);
/// NULL where the library is not installed, where the profile cannot be read or is not one of such pixels, and where its colours
/// are those of sRGB.
codec_colors *codec_colors_create(const codec_profile *profile);
/// Channels of the profile itself: 3 may stand with grey pixels.
int codec_colors_channels(const codec_colors *colors);
/// Turns straight BGRA pixels, whose alpha stays, or inverted inks of four channels, which become opaque, into BGRA of sRGB. Does
/// nothing for NULL.
void codec_colors_convert(const codec_colors *colors, uint8_t *pixels, size_t count);
void codec_colors_destroy(codec_colors *colors);

/// Reductions of an image while it is read, and its colours.
typedef struct {
  uint32_t least_width;  ///< It is averaged down by a whole factor to no less than this size, when that is not zero,
  uint32_t least_height;
  uint64_t max_pixels;   ///< and to at most so many pixels.
  uint8_t *pixels;       ///< Where it goes when resampled to `width` by `height`; NULL: as it is.
  uint32_t width;
  uint32_t height;
  size_t stride;         ///< Bytes from one row of `pixels` to the next.
  const codec_colors *colors; ///< Those of the file, where they are not sRGB's; else NULL. Of PNG, JPEG and WebP only.
  int is_drawn_over;     ///< Something lies below, which rows that never come leave as it is; else these are transparent.
} codec_target;

/// Decodes the first frame. Orientation is not applied. Returns 1 when there is a bitmap.
int codec_decode(const uint8_t *data, size_t size, const codec_target *target, codec_bitmap *bitmap);

void codec_free(void *pixels);

/// Compresses into zlib streams (RFC 1950), fast rather than small. One thread at a time uses one.
typedef struct codec_deflater codec_deflater;
/// NULL when memory is short.
codec_deflater *codec_deflater_create(void);
/// The file name of ISA-L where it is used and not installed; else NULL.
const char *codec_isal_missing_library(void);
void codec_deflater_destroy(codec_deflater *deflater);
/// The bytes that a stream of `size` bytes has at most.
size_t codec_zlib_bound(size_t size);
/// `buffer` has `codec_zlib_bound(size)` bytes. Returns the length of the stream, 0 on failure.
size_t codec_zlib_compress(codec_deflater *deflater, const uint8_t *data, size_t size, uint8_t *buffer,
                           size_t capacity);
uint32_t codec_crc32(uint32_t crc, const uint8_t *data, size_t size);

// SVG, drawn by librsvg. It ends the process where text is too large for it: such documents must not come here.

/// A length and its unit as librsvg numbers them: px 1, em 2, ex 3, in 4, cm 5, mm 6, pt 7, pc 8.
typedef struct {
  double length;
  int unit;
} codec_svg_length;
typedef struct {
  double x, y, width, height;
} codec_svg_rectangle;

/// The library librsvg is there; loads it.
int codec_svg_available(void);
/// The file name of librsvg where it is not installed; else NULL.
const char *codec_svg_missing_library(void);
/// The library librsvg is there, by its file if that is enough to tell.
int codec_svg_installed(void);
/// A document; NULL when it cannot be read. One thread at a time may use it.
void *codec_svg_open(const uint8_t *data, size_t size);
void codec_svg_measure(void *document, int *has_width, codec_svg_length *width, int *has_height,
                       codec_svg_length *height, int *has_view_box, codec_svg_rectangle *view_box);
/// Draws on a cairo context. Returns 1 when it is done, 0 when it is refused.
int codec_svg_draw(void *document, void *canvas, const codec_svg_rectangle *viewport);
void codec_svg_close(void *document);

/// Resampling of premultiplied BGRA rows: a cubic where they shrink, linear where they grow. Rows are taken as they come.
typedef struct codec_resampler codec_resampler;
/// `pixels` takes `width` by `height` pixels, rows `stride` bytes apart. NULL when memory is short.
codec_resampler *codec_resampler_create(uint32_t source_width, uint32_t source_height, uint8_t *pixels, size_t stride,
                                        uint32_t width, uint32_t height);
/// The next row of the source. Returns 0 when all of them had been there before.
int codec_resampler_row(codec_resampler *resampler, const uint8_t *row);
void codec_resampler_destroy(codec_resampler *resampler);

/// How many bytes stand before the first one that may end plain text of XML or asks for a look: a quote, `&`, `<`, `]`, a control
/// character or 0xEF, which begins U+FFFE; all of them where there is none.
size_t codec_plain_length(const uint8_t *bytes, size_t count);

/// The place of the first byte from `first` to `last`; `count` where there is none.
size_t codec_find_in_range(const uint8_t *bytes, size_t count, uint8_t first, uint8_t last);

/// The scanlines of a PNG file (ISO/IEC 15948, 9), each after a filter where one pays, which it does on pictures and not on
/// text. The pixels are grey or indexed, in one byte each, and stay that, or BGRA, which become true colour, three bytes each.
/// `out` takes a byte more than its pixels in every row and may be the same memory. Returns 0 when memory is short.
int codec_png_scanlines(const uint8_t *pixels, int bytes_per_pixel, size_t width, size_t height, uint8_t *out);
