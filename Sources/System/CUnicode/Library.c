#include "Library.h"

// The functions have no visibility of their own yet.
#define U_STATIC_IMPLEMENTATION
#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/ucnv.h>
#include <unicode/ucnv_cb.h>
#include <unicode/ucnv_err.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>
#include <unicode/uvernum.h>

#include <CLoading.h>

#define TEXT(number) #number
#define NAME(version) "libicuuc.so." TEXT(version)
#define LIBRARY NAME(U_ICU_VERSION_MAJOR_NUM)

AVAILABLE(icu_is_available)
MISSING(cu_missing_library, icu_is_available)
// Names without the version, which ICU's headers add.
FORWARD_1(UChar32, u_toupper, UChar32)
FORWARD_6(int32_t, u_strToUpper, UChar *, int32_t, const UChar *, int32_t, const char *, UErrorCode *)
FORWARD_6(int32_t, u_strToLower, UChar *, int32_t, const UChar *, int32_t, const char *, UErrorCode *)
FORWARD_7(int32_t, u_strToTitle, UChar *, int32_t, const UChar *, int32_t, UBreakIterator *, const char *, UErrorCode *)
FORWARD_6(int32_t, u_strFoldCase, UChar *, int32_t, const UChar *, int32_t, uint32_t, UErrorCode *)
FORWARD_1(const UNormalizer2 *, unorm2_getNFDInstance, UErrorCode *)
FORWARD_1(const UNormalizer2 *, unorm2_getNFKDInstance, UErrorCode *)
FORWARD_6(int32_t, unorm2_normalize, const UNormalizer2 *, const UChar *, int32_t, UChar *, int32_t, UErrorCode *)
FORWARD_5(UBreakIterator *, ubrk_open, UBreakIteratorType, const char *, const UChar *, int32_t, UErrorCode *)
FORWARD_1(void, ubrk_close, UBreakIterator *)
FORWARD_4(void, ubrk_setText, UBreakIterator *, const UChar *, int32_t, UErrorCode *)
FORWARD_1(int32_t, ubrk_first, UBreakIterator *)
FORWARD_1(int32_t, ubrk_next, UBreakIterator *)
FORWARD_1(int32_t, ubrk_getRuleStatus, UBreakIterator *)
FORWARD_2(UConverter *, ucnv_open, const char *, UErrorCode *)
FORWARD_1(void, ucnv_close, UConverter *)
FORWARD_5(void, ucnv_cbToUWriteUChars, UConverterToUnicodeArgs *, const UChar *, int32_t, int32_t, UErrorCode *)
FORWARD_6(void, ucnv_setToUCallBack, UConverter *, UConverterToUCallback, const void *, UConverterToUCallback *, const void **,
          UErrorCode *)

FORWARD(void, ucnv_convertEx,
        (UConverter * to, UConverter *from, char **target, const char *target_end, const char **source,
         const char *source_end, UChar *pivot, UChar **pivot_source, UChar **pivot_target, const UChar *pivot_end,
         UBool reset, UBool flush, UErrorCode *status),
        (to, from, target, target_end, source, source_end, pivot, pivot_source, pivot_target, pivot_end, reset, flush,
         status))

// libxml2 names these where it is linked into the program.
FORWARD_6(void, ucnv_setFromUCallBack, UConverter *, UConverterFromUCallback, const void *, UConverterFromUCallback *,
          const void **, UErrorCode *)
FORWARD_7(void, UCNV_FROM_U_CALLBACK_STOP, const void *, UConverterFromUnicodeArgs *, const UChar *, int32_t, UChar32,
          UConverterCallbackReason, UErrorCode *)
FORWARD_6(void, UCNV_TO_U_CALLBACK_STOP, const void *, UConverterToUnicodeArgs *, const char *, int32_t,
          UConverterCallbackReason, UErrorCode *)
