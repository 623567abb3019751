#include "CPCRE.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <CLoading.h>

#define LIBRARY "libpcre2-8.so.0"
static AVAILABLE(is_available)
MISSING(pcre_missing_library, is_available)
FORWARD_6(pcre2_code *, pcre2_compile, PCRE2_SPTR, PCRE2_SIZE, uint32_t, int *, PCRE2_SIZE *, pcre2_compile_context *)
FORWARD_1(void, pcre2_code_free, pcre2_code *)
FORWARD_3(int, pcre2_get_error_message, int, PCRE2_UCHAR *, PCRE2_SIZE)
FORWARD_7(int, pcre2_match, const pcre2_code *, PCRE2_SPTR, PCRE2_SIZE, PCRE2_SIZE, uint32_t, pcre2_match_data *,
          pcre2_match_context *)
FORWARD_1(pcre2_match_context *, pcre2_match_context_create, pcre2_general_context *)
FORWARD_1(void, pcre2_match_context_free, pcre2_match_context *)
FORWARD_2(int, pcre2_set_match_limit, pcre2_match_context *, uint32_t)
FORWARD_2(pcre2_match_data *, pcre2_match_data_create, uint32_t, pcre2_general_context *)
FORWARD_1(void, pcre2_match_data_free, pcre2_match_data *)

void *pcre_compile(const char *text, size_t size, size_t *offset, char *message, size_t room) {
  int code = 0;
  *offset = 0;
  if (room > 0) *message = 0;
  uint32_t options = PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C;
  pcre2_code *pattern = pcre2_compile((PCRE2_SPTR)text, size, options, &code, offset, NULL);
  if (!pattern) pcre2_get_error_message(code, (PCRE2_UCHAR *)message, room);
  return pattern;
}

void pcre_free(void *pattern) { pcre2_code_free(pattern); }

int pcre_matches(const void *pattern, const uint8_t *subject, size_t size, uint32_t steps) {
  // Whether there is a match is all that is asked: one pair of places has room in any data.
  pcre2_match_data *data = pcre2_match_data_create(1, NULL);
  pcre2_match_context *context = pcre2_match_context_create(NULL);
  int result = PCRE2_ERROR_NOMEMORY;
  if (data && context) {
    pcre2_set_match_limit(context, steps);
    result = pcre2_match(pattern, subject, size, 0, 0, data, context);
  }
  pcre2_match_data_free(data);
  pcre2_match_context_free(context);
  return result >= 0 ? 1 : result == PCRE2_ERROR_NOMATCH ? 0 : -1;
}
