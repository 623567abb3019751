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

/// Every fourth pixel of a row, close together. The last one is written as four bytes.
static size_t sample(const uint8_t *row, size_t size, uint8_t *out) {
  size_t count = 0;
  for (size_t start = 0; start < size; start += 12, count += 3) memcpy(out + count, row + start, 4);
  return count;
}

/// The filter with the least sum of differences, by one pixel in four. `samples` has room for four times as many.
WIDE static uint8_t best_filter(const uint8_t *current, const uint8_t *above, size_t row, uint8_t *samples) {
  size_t room = row / 4 + 8;
  uint8_t *values = samples, *left = samples + room, *up = left + room, *corner = up + room;
  size_t count = sample(current, row, values);
  sample(current - 3, row, left);
  sample(above, row, up);
  sample(above - 3, row, corner);
  unsigned sums[5] = {0};
  for (size_t i = 0; i < count; i++) {
    sums[NONE] += cost(values[i]);
    sums[SUB] += cost((uint8_t)(values[i] - left[i]));
    sums[UP] += cost((uint8_t)(values[i] - up[i]));
    sums[PAETH] += cost((uint8_t)(values[i] - paeth(left[i], up[i], corner[i])));
  }
  uint8_t best = NONE;
  if (sums[UP] < sums[best]) best = UP;
  if (sums[SUB] < sums[best]) best = SUB;
  if (sums[PAETH] < sums[best]) best = PAETH;
  return best;
}

WIDE static void apply(uint8_t filter, const uint8_t *restrict current, const uint8_t *restrict above, size_t row,
                  uint8_t *restrict out) {
  // One loop for each filter, so that the choice is not made anew for every byte.
  switch (filter) {
  case SUB:
    for (size_t i = 0; i < row; i++) out[i] = (uint8_t)(current[i] - current[(ptrdiff_t)i - 3]);
    break;
  case UP:
    for (size_t i = 0; i < row; i++) out[i] = (uint8_t)(current[i] - above[i]);
    break;
  case PAETH:
    for (size_t i = 0; i < row; i++) {
      ptrdiff_t left = (ptrdiff_t)i - 3;
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

int codec_png_scanlines(const uint8_t *bgra, size_t width, size_t height, uint8_t *out) {
  size_t row = width * 3;
  // Three zero bytes stand to the left of each row, and more is written behind it than it has.
  uint8_t *memory = calloc(3, row + 32);
  if (!memory) return 0;
  uint8_t *current = memory + 3, *above = memory + row + 32 + 3, *samples = memory + 2 * (row + 32);
  uint8_t filter = NONE;
  for (size_t y = 0; y < height; y++) {
    narrow(bgra + y * width * 4, width, current);
    // Rows are mostly like those above them.
    if ((y & 3) == 1 || y == 0) filter = best_filter(current, above, row, samples);
    out[y * (row + 1)] = filter;
    apply(filter, current, above, row, out + y * (row + 1) + 1);
    uint8_t *finished = current;
    current = above;
    above = finished;
  }
  free(memory);
  return 1;
}
