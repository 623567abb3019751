#pragma once
#include <stddef.h>
#include <stdint.h>

// MARK: Unicode - character properties by tables of one version of Unicode (Tables.h); boundaries, case and
// decomposition over ICU (Unicode.c)

/// A code point's properties, packed: line break (6 bits), grapheme cluster break (5), word break (5), script (8),
/// general category (5), East Asian width (3), bidi class (5), vertical orientation (2), bracket type (2), then flags:
/// emoji, emoji presentation, extended pictographic, emoji modifier, default ignorable. Values are ICU's enumerators, but for
/// scripts, which Tables.h numbers.
extern const uint64_t *_Atomic cu_property_pages[0x1100];
const uint64_t *cu_make_property_page(uint32_t page);
static inline uint64_t cu_properties(uint32_t c) {
  if (c > 0x10FFFF) c = 0xFFFD;
  const uint64_t *page = __c11_atomic_load(&cu_property_pages[c >> 8], __ATOMIC_ACQUIRE);
  if (__builtin_expect(!page, 0)) page = cu_make_property_page(c >> 8);
  return page[c & 255];
}

/// The ISO 15924 tag of a script number, first letter highest.
uint32_t cu_script_tag(uint32_t script);
/// The script is among a code point's script extensions.
int cu_has_script(uint32_t c, uint32_t script);
uint32_t cu_paired_bracket(uint32_t c);
uint32_t cu_mirror(uint32_t c);

enum { CU_BREAK_WORDS, CU_BREAK_LINES, CU_BREAK_GRAPHEMES, CU_BREAK_SENTENCES };
typedef struct cu_breaker cu_breaker;
cu_breaker *cu_breaker_open(int32_t kind, const char *locale);
void cu_breaker_close(cu_breaker *breaker);
/// The text must stay where it is until the last call of cu_breaker_next.
int cu_breaker_set_text(cu_breaker *breaker, const uint16_t *text, int32_t length);
/// The next boundary, or -1 after the last.
int32_t cu_breaker_next(cu_breaker *breaker);
/// ICU's rule status of the segment before the current boundary.
int32_t cu_breaker_status(cu_breaker *breaker);

enum { CU_CASE_UPPER, CU_CASE_LOWER, CU_CASE_TITLE, CU_CASE_FOLD };
/// The length of the mapped text, which is written as far as it fits; -1 when the mapping fails.
int32_t cu_map_case(int32_t mapping, const char *locale, const uint16_t *text, int32_t length, uint16_t *result,
                    int32_t capacity);
uint32_t cu_simple_upper(uint32_t c);
/// The decomposition of a text, compatible or canonical: its length, written as far as it fits; -1 when it fails.
int32_t cu_decompose(int compatible, const uint16_t *text, int32_t length, uint16_t *result, int32_t capacity);

// MARK: Encoding - legacy encodings to UTF-8 (Encoding.c)

/// A conversion from one encoding to UTF-8 that keeps its state between pieces of the input.
typedef struct CUDecoder CUDecoder;

/// Opens a decoder for an encoding ICU knows by `name`; NULL when there is none.
CUDecoder *cu_decoder_open(const char *name);
void cu_decoder_close(CUDecoder *decoder);
/// Converts until the input ends or the output is full, and returns the number of bytes written.
///
/// `consumed` receives how much of the input was read, `more` whether the output was too small. Sequences that are not
/// valid become U+FFFD and are counted. The last piece is given with `flush`.
size_t cu_decoder_convert(CUDecoder *decoder, const uint8_t *source, size_t length, size_t *consumed, uint8_t *target,
                          size_t capacity, int flush, int *more);
/// The number of sequences replaced so far.
size_t cu_decoder_malformed(const CUDecoder *decoder);

/// The character at a place of JIS X 0213 (plane 1 or 2, row and cell 1 to 94), of which some are a letter and a mark: how many
/// scalars it has, 0 where there is none.
int cu_jisx0213(int plane, int row, int cell, uint32_t *first, uint32_t *second);

// MARK: Version (Version.c)

/// The file name of ICU's library where it is not installed; else NULL.
const char *cu_missing_library(void);

/// The version of the ICU that the program was built for, such as "72.1"; it loads one of the same major version.
const char *cu_version(void);
/// The version of Unicode that the tables of properties are of, such as "15.0".
const char *cu_unicode_version(void);
