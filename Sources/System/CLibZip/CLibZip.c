#include "CLibZip.h"

#include <CLoading.h>

// It brings a library of encryption along, which takes longer to load than a page of a single document takes to set.
#if LIBZIP_VERSION_MAJOR > 1 || LIBZIP_VERSION_MINOR >= 8
#define LIBRARY "libzip.so.5"
#else
#define LIBRARY "libzip.so.4"
#endif

// Where there is no library its functions return 0, even those that the library promises never do (since libzip 1.11).
#pragma clang diagnostic ignored "-Wnonnull"

AVAILABLE(libzip_is_available)
MISSING(libzip_missing_library, libzip_is_available)

FORWARD_1(void, zip_discard, zip_t *)
FORWARD_1(int, zip_error_code_zip, const zip_error_t *)
FORWARD_1(void, zip_error_fini, zip_error_t *)
FORWARD_1(void, zip_error_init, zip_error_t *)
FORWARD_2(void, zip_error_init_with_code, zip_error_t *, int)
FORWARD_1(const char *, zip_error_strerror, zip_error_t *)
FORWARD_1(int, zip_fclose, zip_file_t *)
FORWARD_5(int, zip_file_get_external_attributes, zip_t *, zip_uint64_t, zip_flags_t, zip_uint8_t *, zip_uint32_t *)
FORWARD_1(zip_error_t *, zip_file_get_error, zip_file_t *)
FORWARD_3(zip_file_t *, zip_fopen_index, zip_t *, zip_uint64_t, zip_flags_t)
FORWARD_3(zip_int64_t, zip_fread, zip_file_t *, void *, zip_uint64_t)
FORWARD_1(zip_error_t *, zip_get_error, zip_t *)
FORWARD_3(const char *, zip_get_name, zip_t *, zip_uint64_t, zip_flags_t)
FORWARD_2(zip_int64_t, zip_get_num_entries, zip_t *, zip_flags_t)
FORWARD_3(zip_t *, zip_open, const char *, int, int *)
FORWARD_3(zip_t *, zip_open_from_source, zip_source_t *, int, zip_error_t *)
FORWARD_4(zip_source_t *, zip_source_buffer_create, const void *, zip_uint64_t, int, zip_error_t *)
FORWARD_1(void, zip_source_free, zip_source_t *)
FORWARD_4(int, zip_stat_index, zip_t *, zip_uint64_t, zip_flags_t, zip_stat_t *)
FORWARD_1(void, zip_stat_init, zip_stat_t *)
