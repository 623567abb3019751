#include "internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Results must not depend on whether the processor can multiply and add at once.
#pragma STDC FP_CONTRACT OFF

/// Four channels of a pixel, and of two pixels.
typedef float channels __attribute__((vector_size(16)));
typedef float pixels2 __attribute__((vector_size(32)));
/// Four pixels.
typedef float pixels4 __attribute__((vector_size(64)));
typedef int32_t whole4 __attribute__((vector_size(64)));
typedef uint8_t bytes16 __attribute__((vector_size(16)));

/// For each target pixel the first source pixel, how many count, and their weights, which add up to one: `longest` places a
/// target pixel.
typedef struct {
  int32_t *starts, *counts;
  float *values;
  size_t longest;
} weights;

struct codec_resampler {
  uint32_t source_width, source_height, width, height;
  uint32_t next_source, next_target;
  int is_copy; ///< Nothing changes.
  uint8_t *pixels;
  size_t stride;
  weights across, down;
  pixels2 *factors;    ///< The weights across, once for each channel, two source pixels together.
  size_t factor_pairs; ///< As many for each target pixel; the last ones may be zeros.
  float *line;         ///< A row of the source as numbers, and zeros behind it.
  float *ring;         ///< Rows of the target's width, as many as one of its rows needs.
  size_t ring_stride;  ///< Whole fours of pixels.
  const float **rows;
};

/// The cubic convolution kernel with a = -0.5 (Catmull-Rom).
static double cubic(double x) {
  if (x < 1) return (1.5 * x - 2.5) * x * x + 1;
  if (x < 2) return ((-0.5 * x + 2.5) * x - 4) * x + 2;
  return 0;
}

static int make_weights(weights *made, uint32_t source, uint32_t target) {
  double scale = (double)source / (double)target;
  int shrinks = scale > 1;
  double filter_scale = shrinks ? scale : 1, support = (shrinks ? 2.0 : 1.0) * filter_scale;
  made->longest = (size_t)ceil(support) * 2 + 1;
  made->starts = malloc(target * sizeof *made->starts);
  made->counts = malloc(target * sizeof *made->counts);
  made->values = malloc(made->longest * target * sizeof *made->values);
  double *raw = malloc(made->longest * sizeof *raw);
  int done = made->starts && made->counts && made->values && raw;
  for (uint32_t position = 0; done && position < target; position++) {
    double center = (position + 0.5) * scale, sum = 0;
    int64_t first = (int64_t)floor(center - support + 0.5), last = (int64_t)floor(center + support + 0.5);
    if (first < 0) first = 0;
    if (last > source) last = source;
    if (last <= first) last = first + 1;
    size_t count = (size_t)(last - first) < made->longest ? (size_t)(last - first) : made->longest;
    for (size_t index = 0; index < count; index++) {
      double distance = fabs(((double)(first + (int64_t)index) + 0.5 - center) / filter_scale);
      raw[index] = shrinks ? cubic(distance) : distance < 1 ? 1 - distance : 0;
      sum += raw[index];
    }
    if (sum == 0) sum = raw[0] = 1;
    made->starts[position] = (int32_t)(first < source ? first : source - 1);
    made->counts[position] = (int32_t)count;
    for (size_t index = 0; index < count; index++)
      made->values[position * made->longest + index] = (float)(raw[index] / sum);
  }
  free(raw);
  return done;
}

static void free_weights(weights *made) {
  free(made->starts);
  free(made->counts);
  free(made->values);
}

/// The weights across as they are multiplied, and room for a row that they fit.
static int make_factors(codec_resampler *made) {
  size_t most = 1;
  for (uint32_t x = 0; x < made->width; x++)
    if ((size_t)made->across.counts[x] > most) most = (size_t)made->across.counts[x];
  size_t pairs = made->factor_pairs = (most + 1) / 2;
  made->factors = aligned_alloc(sizeof *made->factors, pairs * made->width * sizeof *made->factors);
  made->line = calloc((size_t)made->source_width + pairs * 2, 4 * sizeof *made->line);
  if (!made->factors || !made->line) return 0;
  for (uint32_t x = 0; x < made->width; x++) {
    const float *values = made->across.values + x * made->across.longest;
    for (size_t i = 0; i < pairs; i++) {
      size_t count = (size_t)made->across.counts[x];
      float a = i * 2 < count ? values[i * 2] : 0, b = i * 2 + 1 < count ? values[i * 2 + 1] : 0;
      made->factors[x * pairs + i] = (pixels2){a, a, a, a, b, b, b, b};
    }
  }
  return 1;
}

codec_resampler *codec_resampler_create(uint32_t source_width, uint32_t source_height, uint8_t *pixels, size_t stride,
                                        uint32_t width, uint32_t height) {
  codec_resampler *made = calloc(1, sizeof *made);
  if (!made || source_width == 0 || source_height == 0 || width == 0 || height == 0) {
    free(made);
    return NULL;
  }
  made->source_width = source_width;
  made->source_height = source_height;
  made->width = width;
  made->height = height;
  made->pixels = pixels;
  made->stride = stride;
  made->is_copy = width == source_width && height == source_height;
  if (made->is_copy) return made;
  if (make_weights(&made->across, source_width, width) && make_weights(&made->down, source_height, height) &&
      make_factors(made)) {
    made->ring_stride = ((size_t)width + 3) / 4 * 16;
    made->ring = calloc(made->down.longest * made->ring_stride, sizeof *made->ring);
    made->rows = malloc(made->down.longest * sizeof *made->rows);
    if (made->ring && made->rows) return made;
  }
  codec_resampler_destroy(made);
  return NULL;
}

void codec_resampler_destroy(codec_resampler *resampler) {
  if (!resampler) return;
  free_weights(&resampler->across);
  free_weights(&resampler->down);
  free(resampler->factors);
  free(resampler->line);
  free(resampler->ring);
  free(resampler->rows);
  free(resampler);
}

WIDE static void read_row(const uint8_t *restrict row, float *restrict line, size_t count) {
  for (size_t i = 0; i < count; i++) line[i] = row[i];
}

static inline __attribute__((always_inline)) void weigh_across(const float *line, const int32_t *starts,
                                                               const pixels2 *factors, size_t pairs, float *out,
                                                               size_t width) {
  for (size_t x = 0; x < width; x++, factors += pairs, out += 4) {
    const float *pixel = line + (size_t)starts[x] * 4;
    pixels2 sum = {0};
    for (size_t i = 0; i < pairs; i++) {
      pixels2 two;
      memcpy(&two, pixel + i * 8, sizeof two);
      sum += two * factors[i];
    }
    channels even, odd;
    memcpy(&even, &sum, sizeof even);
    memcpy(&odd, (const float *)&sum + 4, sizeof odd);
    even += odd;
    memcpy(out, &even, sizeof even);
  }
}

/// Widens or narrows a row. What pictures mostly take has a loop without inner loops.
WIDE static void resample_across(const float *line, const int32_t *starts, const pixels2 *factors, size_t pairs,
                                 float *out, size_t width) {
  switch (pairs) {
  case 1: return weigh_across(line, starts, factors, 1, out, width);
  case 2: return weigh_across(line, starts, factors, 2, out, width);
  case 3: return weigh_across(line, starts, factors, 3, out, width);
  case 4: return weigh_across(line, starts, factors, 4, out, width);
  default: return weigh_across(line, starts, factors, pairs, out, width);
  }
}

/// The weighed sum of rows as pixels, rounded to the nearest.
WIDE static void resample_down(const float *const *rows, const float *weight, size_t count, uint8_t *out, size_t width) {
  for (size_t x = 0; x < width; x += 4) {
    pixels4 sum = (pixels4){0} + 0.5f;
    for (size_t i = 0; i < count; i++) {
      pixels4 value;
      memcpy(&value, rows[i] + x * 4, sizeof value);
      sum += value * weight[i];
    }
    sum = __builtin_elementwise_min(__builtin_elementwise_max(sum, (pixels4){0}), (pixels4){0} + 255.0f);
    // A cubic overshoots; premultiplied colours stay between nothing and their alpha.
    pixels4 alpha = __builtin_shufflevector(sum, sum, 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15);
    sum = __builtin_elementwise_min(sum, alpha);
    bytes16 pixels = __builtin_convertvector(__builtin_convertvector(sum, whole4), bytes16);
    if (width - x >= 4) {
      memcpy(out + x * 4, &pixels, sizeof pixels);
    } else {
      memcpy(out + x * 4, &pixels, (width - x) * 4);
    }
  }
}

int codec_resampler_row(codec_resampler *to, const uint8_t *row) {
  if (to->next_source >= to->source_height) return 0;
  uint32_t number = to->next_source++;
  if (to->is_copy) {
    memcpy(to->pixels + number * to->stride, row, (size_t)to->width * 4);
    return 1;
  }
  if (to->next_target >= to->height || number < (uint32_t)to->down.starts[to->next_target]) return 1;
  read_row(row, to->line, (size_t)to->source_width * 4);
  resample_across(to->line, to->across.starts, to->factors, to->factor_pairs,
                  to->ring + number % to->down.longest * to->ring_stride, to->width);
  for (uint32_t y = to->next_target; y < to->height; to->next_target = ++y) {
    uint32_t first = (uint32_t)to->down.starts[y], count = (uint32_t)to->down.counts[y];
    if (first + count > number + 1) break;
    for (uint32_t i = 0; i < count; i++) to->rows[i] = to->ring + (first + i) % to->down.longest * to->ring_stride;
    resample_down(to->rows, to->down.values + y * to->down.longest, count, to->pixels + y * to->stride, to->width);
  }
  return 1;
}
