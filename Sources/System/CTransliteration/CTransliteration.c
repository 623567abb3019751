#include "CTransliteration.h"

// The functions have no visibility of their own yet.
#define U_STATIC_IMPLEMENTATION
#include <stdlib.h>
#include <unicode/utrans.h>
#include <unicode/uvernum.h>

#include <CLoading.h>

#define TEXT(number) #number
#define NAME(version) "libicui18n.so." TEXT(version)
#define LIBRARY NAME(U_ICU_VERSION_MAJOR_NUM)

static AVAILABLE(is_available)
FORWARD_7(UTransliterator *, utrans_openU, const UChar *, int32_t, UTransDirection, const UChar *, int32_t, UParseError *,
          UErrorCode *)
FORWARD_7(void, utrans_transUChars, const UTransliterator *, UChar *, int32_t *, int32_t, int32_t, int32_t *, UErrorCode *)
FORWARD_1(void, utrans_close, UTransliterator *)

int ctransliteration_simplified(uint16_t first, size_t count, uint16_t *forms) {
  static const UChar name[] = u"Traditional-Simplified";
  if (!is_available() || count > 0x10000) return 0;
  UErrorCode status = U_ZERO_ERROR;
  UTransliterator *transliterator = utrans_openU(name, -1, UTRANS_FORWARD, NULL, 0, NULL, &status);
  // Each character stands by itself between line feeds, so that no rule for several applies. A form may be longer than the character.
  int32_t capacity = (int32_t)(count * 4), length = (int32_t)(count * 2);
  UChar *text = transliterator ? malloc(sizeof(UChar) * (size_t)(capacity + 1)) : NULL;
  int isDone = 0;
  if (text) {
    for (size_t i = 0; i < count; i++) {
      text[2 * i] = (UChar)(first + i);
      text[2 * i + 1] = '\n';
    }
    int32_t limit = length;
    utrans_transUChars(transliterator, text, &length, capacity, 0, &limit, &status);
    isDone = U_SUCCESS(status) && length <= capacity;
  }
  if (isDone) {
    int32_t at = 0;
    for (size_t i = 0; i < count; i++) {
      int32_t end = at;
      while (end < length && text[end] != '\n') end++;
      forms[i] = end - at == 1 ? text[at] : (uint16_t)(first + i);
      at = end + 1;
    }
  }
  free(text);
  if (transliterator) utrans_close(transliterator);
  return isDone;
}
