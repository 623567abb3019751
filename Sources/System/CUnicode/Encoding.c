#include "CUnicode.h"

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
