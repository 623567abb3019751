#include "CUnicode.h"

#include <stdatomic.h>

#include <stdlib.h>
#include <string.h>
#include <unicode/unorm2.h>
#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/ustring.h>

const uint64_t *_Atomic cu_property_pages[0x1100];

/// Indic_Conjunct_Break of Unicode 15.1 as two more values of Grapheme_Cluster_Break: 30 for consonants, 31 for linkers.
static uint64_t grapheme_break(UChar32 c, UScriptCode script) {
  switch (script) {
  case USCRIPT_BENGALI: case USCRIPT_DEVANAGARI: case USCRIPT_GUJARATI: case USCRIPT_MALAYALAM: case USCRIPT_ORIYA:
  case USCRIPT_TELUGU:
    switch (u_getIntPropertyValue(c, UCHAR_INDIC_SYLLABIC_CATEGORY)) {
    case U_INSC_CONSONANT: return 30;
    case U_INSC_VIRAMA: return 31;
    default: break;
    }
  default: return (uint64_t)u_getIntPropertyValue(c, UCHAR_GRAPHEME_CLUSTER_BREAK) & 31;
  }
}

/// Line_Break as Unicode 15.0 has it. Later versions divide Brahmic scripts by classes of their own (UAX #14, LB28a: ICU 74
/// and later), which the rules do not know: lines break alike whatever the version of ICU.
static uint64_t line_break(UChar32 c, UScriptCode script) {
  int32_t value = u_getIntPropertyValue(c, UCHAR_LINE_BREAK);
  switch (value) {
  case 43: case 44: case 45: // Aksara, Aksara_Prebase, Aksara_Start
    return u_charType(c) == U_DECIMAL_DIGIT_NUMBER ? U_LB_NUMERIC : U_LB_ALPHABETIC;
  case 46: case 47: // Virama_Final, Virama
    return U_LB_COMBINING_MARK;
  case 48: // Unambiguous_Hyphen (Unicode 17)
    return U_LB_BREAK_AFTER;
  case U_LB_BREAK_AFTER: // Final consonants
    return U_MASK(u_charType(c)) & U_GC_L_MASK ? U_LB_ALPHABETIC : U_LB_BREAK_AFTER;
  case U_LB_IDEOGRAPHIC: // Punctuation, numbers and notes
    switch (script) {
    case USCRIPT_BALINESE: case USCRIPT_BRAHMI: case USCRIPT_CHAM: case USCRIPT_JAVANESE: return U_LB_ALPHABETIC;
    default: return U_LB_IDEOGRAPHIC;
    }
  default: return (uint64_t)value & 63;
  }
}

static uint64_t pack(UChar32 c) {
  uint64_t bits = 0;
  bits |= ((uint64_t)u_getIntPropertyValue(c, UCHAR_WORD_BREAK) & 31) << 11;
  UErrorCode status = U_ZERO_ERROR;
  UScriptCode script = uscript_getScript(c, &status);
  if (U_FAILURE(status) || script < 0) script = USCRIPT_UNKNOWN;
  bits |= line_break(c, script);
  bits |= grapheme_break(c, script) << 6;
  bits |= ((uint64_t)script & 255) << 16;
  bits |= ((uint64_t)u_charType(c) & 31) << 24;
  bits |= ((uint64_t)u_getIntPropertyValue(c, UCHAR_EAST_ASIAN_WIDTH) & 7) << 29;
  bits |= ((uint64_t)u_charDirection(c) & 31) << 32;
  bits |= ((uint64_t)u_getIntPropertyValue(c, UCHAR_VERTICAL_ORIENTATION) & 3) << 37;
  bits |= ((uint64_t)u_getIntPropertyValue(c, UCHAR_BIDI_PAIRED_BRACKET_TYPE) & 3) << 39;
  if (u_hasBinaryProperty(c, UCHAR_EMOJI)) bits |= 1ull << 41;
  if (u_hasBinaryProperty(c, UCHAR_EMOJI_PRESENTATION)) bits |= 1ull << 42;
  if (u_hasBinaryProperty(c, UCHAR_EXTENDED_PICTOGRAPHIC)) bits |= 1ull << 43;
  if (u_hasBinaryProperty(c, UCHAR_EMOJI_MODIFIER)) bits |= 1ull << 44;
  if (u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT)) bits |= 1ull << 45;
  return bits;
}

const uint64_t *cu_make_property_page(uint32_t page) {
  uint64_t *made = malloc(256 * sizeof(uint64_t));
  static const uint64_t nothing[256];
  if (!made) return nothing;
  // The Unicode Character Database has the unified ideographs and the Hangul syllables as ranges: these properties are the
  // same for all ideographs, and for syllables depend on whether there is a final consonant.
  UChar32 first = (UChar32)(page << 8);
  if ((page >= 0x34 && page < 0x4D) || (page >= 0x4E && page < 0x9F)) {
    uint64_t bits = pack(first);
    for (uint32_t low = 0; low < 256; low++) made[low] = bits;
  } else if (page >= 0xAC && page < 0xD7) {
    uint64_t open = pack(0xAC00), closed = pack(0xAC01);
    for (uint32_t low = 0; low < 256; low++) made[low] = (first + low - 0xAC00) % 28 == 0 ? open : closed;
  } else {
    for (uint32_t low = 0; low < 256; low++) made[low] = pack(first + (UChar32)low);
  }
  const uint64_t *expected = NULL;
  if (!atomic_compare_exchange_strong(&cu_property_pages[page], &expected, made)) {
    free(made);
    return expected;
  }
  return made;
}

uint32_t cu_script_tag(uint32_t script) {
  const char *name = uscript_getShortName((UScriptCode)script);
  if (!name || strlen(name) < 4) name = "Zzzz";
  return (uint32_t)(uint8_t)name[0] << 24 | (uint32_t)(uint8_t)name[1] << 16 | (uint32_t)(uint8_t)name[2] << 8 |
         (uint8_t)name[3];
}

int cu_has_script(uint32_t c, uint32_t script) {
  return uscript_hasScript((UChar32)c, (UScriptCode)script);
}

uint32_t cu_paired_bracket(uint32_t c) { return (uint32_t)u_getBidiPairedBracket((UChar32)c); }
uint32_t cu_mirror(uint32_t c) { return (uint32_t)u_charMirror((UChar32)c); }

struct cu_breaker {
  UBreakIterator *iterator;
};

cu_breaker *cu_breaker_open(int32_t kind, const char *locale) {
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

uint32_t cu_simple_upper(uint32_t c) { return (uint32_t)u_toupper((UChar32)c); }

int32_t cu_decompose(int compatible, const uint16_t *text, int32_t length, uint16_t *result, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  const UNormalizer2 *form = compatible ? unorm2_getNFKDInstance(&status) : unorm2_getNFDInstance(&status);
  if (U_FAILURE(status)) return -1;
  int32_t count = unorm2_normalize(form, (const UChar *)text, length, (UChar *)result, capacity, &status);
  return U_FAILURE(status) && status != U_BUFFER_OVERFLOW_ERROR ? -1 : count;
}
