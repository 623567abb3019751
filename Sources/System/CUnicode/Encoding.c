#include "CUnicode.h"
#include "Library.h"

#include <iconv.h>
#include <stdlib.h>
#include <unicode/ucnv.h>
#include <unicode/ucnv_cb.h>
#include <unicode/ucnv_err.h>

#define PIVOT_LENGTH 4096

struct CUDecoder {
  UConverter *from;
  UConverter *to;
  size_t malformed;
  UBool started;
  UChar pivot[PIVOT_LENGTH];
  UChar *pivot_source;
  UChar *pivot_target;
};

static void replace_malformed(const void *context, UConverterToUnicodeArgs *arguments, const char *units, int32_t length,
                              UConverterCallbackReason reason, UErrorCode *status) {
  (void)units;
  (void)length;
  if (reason > UCNV_IRREGULAR) return;
  ((CUDecoder *)context)->malformed += 1;
  const UChar replacement = 0xFFFD;
  *status = U_ZERO_ERROR;
  ucnv_cbToUWriteUChars(arguments, &replacement, 1, 0, status);
}

CUDecoder *cu_decoder_open(const char *name) {
  if (!icu_is_available()) return NULL;
  UErrorCode status = U_ZERO_ERROR;
  CUDecoder *decoder = calloc(1, sizeof *decoder);
  if (!decoder) return NULL;
  decoder->from = ucnv_open(name, &status);
  decoder->to = ucnv_open("UTF-8", &status);
  if (U_SUCCESS(status))
    ucnv_setToUCallBack(decoder->from, replace_malformed, decoder, NULL, NULL, &status);
  if (U_FAILURE(status)) {
    cu_decoder_close(decoder);
    return NULL;
  }
  decoder->pivot_source = decoder->pivot_target = decoder->pivot;
  return decoder;
}

void cu_decoder_close(CUDecoder *decoder) {
  if (!decoder) return;
  if (decoder->from) ucnv_close(decoder->from);
  if (decoder->to) ucnv_close(decoder->to);
  free(decoder);
}

size_t cu_decoder_convert(CUDecoder *decoder, const uint8_t *source, size_t length, size_t *consumed, uint8_t *target,
                          size_t capacity, int flush, int *more) {
  UErrorCode status = U_ZERO_ERROR;
  const char *in = (const char *)source;
  char *out = (char *)target;
  ucnv_convertEx(decoder->to, decoder->from, &out, (char *)target + capacity, &in, (const char *)source + length,
                 decoder->pivot, &decoder->pivot_source, &decoder->pivot_target, decoder->pivot + PIVOT_LENGTH,
                 !decoder->started, flush != 0, &status);
  decoder->started = 1;
  *consumed = (size_t)(in - (const char *)source);
  *more = status == U_BUFFER_OVERFLOW_ERROR;
  return (size_t)(out - (char *)target);
}

size_t cu_decoder_malformed(const CUDecoder *decoder) { return decoder->malformed; }

// ICU has no table of JIS X 0213, the C library's iconv has.
int cu_jisx0213(int plane, int row, int cell, uint32_t *first, uint32_t *second) {
  iconv_t converter = iconv_open("UTF-32LE", "EUC-JISX0213");
  if (converter == (iconv_t)-1) return 0;
  char source[3] = {(char)0x8F, (char)(0xA0 + row), (char)(0xA0 + cell)};
  char *in = plane == 1 ? source + 1 : source;
  size_t in_left = plane == 1 ? 2 : 3;
  unsigned char target[16];
  char *out = (char *)target;
  size_t out_left = sizeof target;
  // The second call ends a character that a mark might have followed.
  int failed = iconv(converter, &in, &in_left, &out, &out_left) == (size_t)-1 ||
               iconv(converter, NULL, NULL, &out, &out_left) == (size_t)-1;
  iconv_close(converter);
  size_t count = (sizeof target - out_left) / 4;
  if (failed || in_left > 0 || count == 0 || count > 2) return 0;
  uint32_t scalars[2] = {0, 0};
  for (size_t index = 0; index < count * 4; index++) scalars[index / 4] |= (uint32_t)target[index] << (index % 4 * 8);
  *first = scalars[0];
  *second = scalars[1];
  return (int)count;
}
