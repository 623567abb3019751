#include "CImageCodecs.h"

#include <string.h>

typedef float channels __attribute__((vector_size(16)));
typedef uint8_t bytes4 __attribute__((vector_size(4)));
typedef int32_t whole __attribute__((vector_size(16)));

void resample_across(const uint8_t *pixels, const int32_t *starts, const int32_t *counts, const float *weights,
                     size_t longest, float *out, size_t width) {
  for (size_t x = 0; x < width; x++) {
    const uint8_t *pixel = pixels + (size_t)starts[x] * 4;
    const float *weight = weights + x * longest;
    channels sum = {0, 0, 0, 0};
    for (int32_t i = 0; i < counts[x]; i++, pixel += 4) {
      bytes4 raw;
      memcpy(&raw, pixel, 4);
      sum += __builtin_convertvector(raw, channels) * weight[i];
    }
    memcpy(out + x * 4, &sum, sizeof sum);
  }
}

void resample_add(const float *row, float weight, float *sums, size_t width) {
  for (size_t i = 0; i < width * 4; i++) sums[i] += row[i] * weight;
}

void resample_store(const float *sums, uint8_t *out, size_t width) {
  for (size_t x = 0; x < width; x++) {
    whole value;
    for (int i = 0; i < 4; i++) {
      float sum = sums[x * 4 + (size_t)i];
      sum = sum > 0 ? sum : 0;
      value[i] = (int32_t)(sum < 255 ? sum : 255);
    }
    // A cubic overshoots; premultiplied colours stay between nothing and their alpha.
    for (int i = 0; i < 4; i++) out[x * 4 + (size_t)i] = (uint8_t)(value[i] < value[3] ? value[i] : value[3]);
  }
}
