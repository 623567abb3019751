#include "internal.h"

#include <stdio.h>

#include <jpeglib.h>

#include <CLoading.h>

#if JPEG_LIB_VERSION >= 80
#define LIBRARY "libjpeg.so.8"
#else
#define LIBRARY "libjpeg.so.62"
#endif
const char jpeg_library[] = LIBRARY;
AVAILABLE(jpeg_available)
FORWARD_1(struct jpeg_error_mgr *, jpeg_std_error, struct jpeg_error_mgr *)
FORWARD_3(void, jpeg_CreateDecompress, j_decompress_ptr, int, size_t)
FORWARD_1(void, jpeg_destroy_decompress, j_decompress_ptr)
FORWARD_3(void, jpeg_mem_src, j_decompress_ptr, const unsigned char *, unsigned long)
FORWARD_3(void, jpeg_save_markers, j_decompress_ptr, int, unsigned int)
FORWARD_2(int, jpeg_read_header, j_decompress_ptr, boolean)
FORWARD_3(boolean, jpeg_read_icc_profile, j_decompress_ptr, JOCTET **, unsigned int *)
FORWARD_1(boolean, jpeg_has_multiple_scans, j_decompress_ptr)
FORWARD_1(boolean, jpeg_start_decompress, j_decompress_ptr)
FORWARD_3(JDIMENSION, jpeg_read_scanlines, j_decompress_ptr, JSAMPARRAY, JDIMENSION)
