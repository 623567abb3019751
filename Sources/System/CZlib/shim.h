#pragma once
#include <zlib.h>

// `inflateInit2` is a macro, which Swift does not see. Negative window bits mean deflate data without a header.
static inline int czlib_inflate_raw_init(z_stream *stream) { return inflateInit2(stream, -15); }
