#include "internal.h"

#include <gif_lib.h>

#include <CLoading.h>

#define LIBRARY "libgif.so.7"
const char gif_library[] = LIBRARY;
AVAILABLE(gif_available)
FORWARD_3(GifFileType *, DGifOpen, void *, InputFunc, int *)
FORWARD_2(int, DGifCloseFile, GifFileType *, int *)
FORWARD_2(int, DGifGetRecordType, GifFileType *, GifRecordType *)
FORWARD_1(int, DGifGetImageDesc, GifFileType *)
FORWARD_3(int, DGifGetLine, GifFileType *, GifPixelType *, int)
FORWARD_3(int, DGifGetExtension, GifFileType *, int *, GifByteType **)
FORWARD_2(int, DGifGetExtensionNext, GifFileType *, GifByteType **)
