#include "internal.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = 0, SUB = 1, UP = 2, PAETH = 4 };

/// Of the pixels left, above and above left the one nearest to left plus above minus that in the corner.
static inline uint8_t paeth(uint8_t left, uint8_t above, uint8_t corner) {
  int16_t a = left, b = above, c = corner;
  int16_t pa = (int16_t)(b - c), pb = (int16_t)(a - c), pc = (int16_t)(pa + pb);
  pa = pa < 0 ? -pa : pa;
  pb = pb < 0 ? -pb : pb;
  pc = pc < 0 ? -pc : pc;
  return (uint8_t)(pa <= pb && pa <= pc ? a : pb <= pc ? b : c);
}

static inline uint8_t cost(uint8_t difference) {
  uint8_t negative = (uint8_t)-difference;
  return difference < negative ? difference : negative;
}

/// Every fourth pixel of a row of three bytes each, close together. The last one is written as four bytes.
static size_t sample(const uint8_t *row, size_t size, uint8_t *out) {
  size_t count = 0;
  for (size_t start = 0; start < size; start += 12, count += 3) memcpy(out + count, row + start, 4);
  return count;
}

/// The greatest step between neighbours in a picture, mostly; edges of glyphs are steeper.
enum { GENTLE = 16 };

/// The filter with the least sum of differences, by one byte in four. It is none unless that sum is a third of what the bytes
/// themselves come to, and most steps from byte to byte are gentle: glyphs, which are found again as they are, are not once they
/// are differences. `samples` has room for four times as many bytes.
WIDE static uint8_t best_filter(const uint8_t *current, const uint8_t *above, size_t row, ptrdiff_t pixel,
                                uint8_t *samples) {
  const uint8_t *values = current, *left = current - pixel, *up = above, *corner = above - pixel;
  size_t count = row / 4;
  if (pixel == 3) {
    size_t room = row / 4 + 8;
    sample(left, row, samples + room);
    sample(up, row, samples + 2 * room);
    sample(corner, row, samples + 3 * room);
    count = sample(values, row, samples);
    values = samples, left = samples + room, up = left + room, corner = up + room;
  } else {
    // The middle quarter of a row.
    values += row * 3 / 8, left += row * 3 / 8, up += row * 3 / 8, corner += row * 3 / 8;
  }
  unsigned sums[5] = {0}, steps = 0, gentle = 0;
  for (size_t i = 0; i < count; i++) {
    uint8_t step = cost((uint8_t)(values[i] - left[i]));
    steps += step != 0;
    gentle += step != 0 && step <= GENTLE;
    sums[NONE] += cost(values[i]);
    sums[SUB] += step;
    sums[UP] += cost((uint8_t)(values[i] - up[i]));
    sums[PAETH] += cost((uint8_t)(values[i] - paeth(left[i], up[i], corner[i])));
  }
  uint8_t best = UP;
  if (sums[SUB] < sums[best]) best = SUB;
  if (sums[PAETH] < sums[best]) best = PAETH;
  return gentle * 2 > steps && sums[best] < sums[NONE] / 3 ? best : NONE;
}

WIDE static void apply(uint8_t filter, const uint8_t *restrict current, const uint8_t *restrict above, size_t row,
                       ptrdiff_t pixel, uint8_t *restrict out) {
  // One loop for each filter, so that the choice is not made anew for every byte.
  switch (filter) {
  case SUB:
    for (size_t i = 0; i < row; i++) out[i] = (uint8_t)(current[i] - current[(ptrdiff_t)i - pixel]);
    break;
  case UP:
    for (size_t i = 0; i < row; i++) out[i] = (uint8_t)(current[i] - above[i]);
    break;
  case PAETH:
    for (size_t i = 0; i < row; i++) {
      ptrdiff_t left = (ptrdiff_t)i - pixel;
      out[i] = (uint8_t)(current[i] - paeth(current[left], above[i], above[left]));
    }
    break;
  default: memcpy(out, current, row);
  }
}

typedef uint8_t bytes16 __attribute__((vector_size(16)));

/// A row's colours without the fourth byte. Up to four bytes behind them are written.
WIDE static void narrow(const uint8_t *bgra, size_t width, uint8_t *rgb) {
  size_t x = 0;
  for (; x + 4 <= width; x += 4) {
    bytes16 four;
    memcpy(&four, bgra + x * 4, sizeof four);
    four = __builtin_shufflevector(four, four, 2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, 15, 15, 15, 15);
    memcpy(rgb + x * 3, &four, sizeof four);
  }
  for (; x < width; x++) {
    uint32_t pixel;
    memcpy(&pixel, bgra + x * 4, 4);
    pixel = __builtin_bswap32(pixel) >> 8;
    memcpy(rgb + x * 3, &pixel, 4);
  }
}

/// Rows of one byte a pixel, from the last to the first: in the same memory each moves down.
static void gray_scanlines(const uint8_t *pixels, size_t width, size_t height, uint8_t *current, uint8_t *above,
                           uint8_t *out) {
  uint8_t filter = NONE;
  if (height > 0) memcpy(current, pixels + (height - 1) * width, width);
  for (size_t y = height; y-- > 0;) {
    if (y > 0)
      memcpy(above, pixels + (y - 1) * width, width);
    else
      memset(above, 0, width);
    // Rows are mostly like those beside them.
    if ((y & 3) == 3 || y + 1 == height) filter = best_filter(current, above, width, 1, NULL);
    out[y * (width + 1)] = filter;
    apply(filter, current, above, width, 1, out + y * (width + 1) + 1);
    uint8_t *finished = current;
    current = above;
    above = finished;
  }
}

static void color_scanlines(const uint8_t *bgra, size_t width, size_t height, uint8_t *current, uint8_t *above,
                            uint8_t *samples, uint8_t *out) {
  size_t row = width * 3;
  uint8_t filter = NONE;
  for (size_t y = 0; y < height; y++) {
    narrow(bgra + y * width * 4, width, current);
    if ((y & 3) == 1 || y == 0) filter = best_filter(current, above, row, 3, samples);
    out[y * (row + 1)] = filter;
    apply(filter, current, above, row, 3, out + y * (row + 1) + 1);
    uint8_t *finished = current;
    current = above;
    above = finished;
  }
}

int codec_png_scanlines(const uint8_t *pixels, int bytes_per_pixel, size_t width, size_t height, uint8_t *out) {
  // Three zero bytes stand to the left of each row, and more is written behind it than it has.
  size_t room = width * 3 + 32;
  uint8_t *memory = calloc(3, room);
  if (!memory) return 0;
  uint8_t *current = memory + 3, *above = current + room, *samples = memory + 2 * room;
  if (bytes_per_pixel == 1)
    gray_scanlines(pixels, width, height, current, above, out);
  else
    color_scanlines(pixels, width, height, current, above, samples, out);
  free(memory);
  return 1;
}
