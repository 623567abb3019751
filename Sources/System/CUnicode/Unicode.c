#include "CUnicode.h"
#include "Library.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unicode/unorm2.h>
#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/ustring.h>

struct extension {
  uint32_t first, last;
  /// The place of the scripts among the sets.
  uint16_t set;
};
struct pair {
  uint32_t key, value;
};

#include "Tables.h"

#define COUNT(table) (sizeof table / sizeof *table)

const uint64_t *_Atomic cu_property_pages[0x1100];

const uint64_t *cu_make_property_page(uint32_t page) {
  uint64_t *made = malloc(256 * sizeof(uint64_t));
  static const uint64_t nothing[256];
  if (!made) return nothing;
  // The range that the page begins in: the last one that does not begin behind its first code point.
  size_t low = 0, high = COUNT(property_ranges);
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (property_ranges[middle] >> 11 <= page << 8) low = middle; else high = middle;
  }
  for (uint32_t at = 0; at < 256; low++) {
    uint32_t next = low + 1 < COUNT(property_ranges) ? property_ranges[low + 1] >> 11 : 0x110000;
    uint32_t end = next - (page << 8) < 256 ? next - (page << 8) : 256;
    for (; at < end; at++) made[at] = property_words[property_ranges[low] & 2047];
  }
  const uint64_t *expected = NULL;
  if (!atomic_compare_exchange_strong(&cu_property_pages[page], &expected, made)) {
    free(made);
    return expected;
  }
  return made;
}

uint32_t cu_script_tag(uint32_t script) {
  const char *name = script < COUNT(script_tags) ? script_tags[script] : "Zzzz";
  return (uint32_t)(uint8_t)name[0] << 24 | (uint32_t)(uint8_t)name[1] << 16 | (uint32_t)(uint8_t)name[2] << 8 |
         (uint8_t)name[3];
}

int cu_has_script(uint32_t c, uint32_t script) {
  size_t low = 0, high = COUNT(script_extensions);
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (script_extensions[middle].last < c) low = middle + 1; else high = middle;
  }
  if (low == COUNT(script_extensions) || script_extensions[low].first > c)
    return (cu_properties(c) >> 16 & 255) == script;
  for (const uint8_t *member = script_sets + script_extensions[low].set; *member != 255; member++)
    if (*member == script) return 1;
  return 0;
}

/// The partner of a code point: itself where it is not in the table.
static uint32_t partner(uint32_t c, const struct pair *table, size_t count) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (table[middle].key < c) low = middle + 1; else high = middle;
  }
  return low < count && table[low].key == c ? table[low].value : c;
}

uint32_t cu_paired_bracket(uint32_t c) { return partner(c, paired_brackets, COUNT(paired_brackets)); }
uint32_t cu_mirror(uint32_t c) { return partner(c, mirrored, COUNT(mirrored)); }

const char *cu_unicode_version(void) { return unicode_version; }

struct cu_breaker {
  UBreakIterator *iterator;
};

cu_breaker *cu_breaker_open(int32_t kind, const char *locale) {
  if (!icu_is_available()) return NULL;
  UErrorCode status = U_ZERO_ERROR;
  static const UBreakIteratorType types[] = { UBRK_WORD, UBRK_LINE, UBRK_CHARACTER, UBRK_SENTENCE };
  UBreakIterator *iterator = ubrk_open(types[kind & 3], locale, NULL, 0, &status);
  if (U_FAILURE(status) || !iterator) return NULL;
  cu_breaker *breaker = malloc(sizeof *breaker);
  if (!breaker) {
    ubrk_close(iterator);
    return NULL;
  }
  breaker->iterator = iterator;
  return breaker;
}

void cu_breaker_close(cu_breaker *breaker) {
  if (!breaker) return;
  ubrk_close(breaker->iterator);
  free(breaker);
}

int cu_breaker_set_text(cu_breaker *breaker, const uint16_t *text, int32_t length) {
  UErrorCode status = U_ZERO_ERROR;
  ubrk_setText(breaker->iterator, (const UChar *)text, length, &status);
  if (U_FAILURE(status)) return 0;
  ubrk_first(breaker->iterator);
  return 1;
}

int32_t cu_breaker_next(cu_breaker *breaker) { return ubrk_next(breaker->iterator); }
int32_t cu_breaker_status(cu_breaker *breaker) { return ubrk_getRuleStatus(breaker->iterator); }

int32_t cu_map_case(int32_t mapping, const char *locale, const uint16_t *text, int32_t length, uint16_t *result,
                    int32_t capacity) {
  if (!icu_is_available()) return -1;
  UErrorCode status = U_ZERO_ERROR;
  int32_t count;
  switch (mapping) {
  case CU_CASE_UPPER:
    count = u_strToUpper((UChar *)result, capacity, (const UChar *)text, length, locale, &status);
    break;
  case CU_CASE_LOWER:
    count = u_strToLower((UChar *)result, capacity, (const UChar *)text, length, locale, &status);
    break;
  case CU_CASE_TITLE:
    count = u_strToTitle((UChar *)result, capacity, (const UChar *)text, length, NULL, locale, &status);
    break;
  default:
    count = u_strFoldCase((UChar *)result, capacity, (const UChar *)text, length, U_FOLD_CASE_DEFAULT, &status);
  }
  return status == U_BUFFER_OVERFLOW_ERROR || U_SUCCESS(status) ? count : -1;
}

uint32_t cu_simple_upper(uint32_t c) { return icu_is_available() ? (uint32_t)u_toupper((UChar32)c) : c; }

int32_t cu_decompose(int compatible, const uint16_t *text, int32_t length, uint16_t *result, int32_t capacity) {
  if (!icu_is_available()) return -1;
  UErrorCode status = U_ZERO_ERROR;
  const UNormalizer2 *form = compatible ? unorm2_getNFKDInstance(&status) : unorm2_getNFDInstance(&status);
  if (U_FAILURE(status)) return -1;
  int32_t count = unorm2_normalize(form, (const UChar *)text, length, (UChar *)result, capacity, &status);
  return U_FAILURE(status) && status != U_BUFFER_OVERFLOW_ERROR ? -1 : count;
}
