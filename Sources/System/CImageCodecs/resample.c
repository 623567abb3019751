#include "CImageCodecs.h"

#include <string.h>

typedef float channels __attribute__((vector_size(16)));

void resample_widen(const uint8_t *pixels, float *out, size_t width) {
  for (size_t i = 0; i < width * 4; i++) out[i] = pixels[i];
}

void resample_across(const float *pixels, const int32_t *starts, const int32_t *counts, const float *weights,
                     size_t longest, float *out, size_t width) {
  for (size_t x = 0; x < width; x++) {
    const float *pixel = pixels + (size_t)starts[x] * 4;
    const float *weight = weights + x * longest;
    channels sum = {0, 0, 0, 0};
    for (int32_t i = 0; i < counts[x]; i++, pixel += 4) {
      channels value;
      memcpy(&value, pixel, sizeof value);
      sum += value * weight[i];
    }
    memcpy(out + x * 4, &sum, sizeof sum);
  }
}

/// Four pixels.
typedef float pixels4 __attribute__((vector_size(64)));
typedef int32_t whole4 __attribute__((vector_size(64)));
typedef uint8_t bytes16 __attribute__((vector_size(16)));

void resample_down(const float *const *rows, const float *weights, size_t count, uint8_t *out, size_t width) {
  for (size_t x = 0; x < width; x += 4) {
    pixels4 sum = (pixels4){0} + 0.5f;
    for (size_t i = 0; i < count; i++) {
      pixels4 value;
      memcpy(&value, rows[i] + x * 4, sizeof value);
      sum += value * weights[i];
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
