#include "internal.h"

#include <gif_lib.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const uint8_t *data;
  size_t left;
} source;

static int read_bytes(GifFileType *gif, GifByteType *out, int count) {
  source *from = gif->UserData;
  size_t wanted = count < 0 ? 0 : (size_t)count;
  if (wanted > from->left) wanted = from->left;
  memcpy(out, from->data, wanted);
  from->data += wanted;
  from->left -= wanted;
  return (int)wanted;
}

/// Draws the first frame onto the transparent canvas. Returns 1 when it was met.
static int first_frame(GifFileType *gif, uint8_t *canvas, uint32_t width, uint32_t height) {
  int transparent = -1;
  GifRecordType type;
  while (DGifGetRecordType(gif, &type) == GIF_OK) {
    if (type == EXTENSION_RECORD_TYPE) {
      int code;
      GifByteType *block;
      if (DGifGetExtension(gif, &code, &block) != GIF_OK) return 0;
      if (block && code == GRAPHICS_EXT_FUNC_CODE && block[0] >= 4) transparent = (block[1] & 1) ? block[4] : -1;
      while (block)
        if (DGifGetExtensionNext(gif, &block) != GIF_OK) return 0;
    } else if (type == IMAGE_DESC_RECORD_TYPE) {
      if (DGifGetImageDesc(gif) != GIF_OK) return 0;
      GifImageDesc *frame = &gif->Image;
      ColorMapObject *map = frame->ColorMap ? frame->ColorMap : gif->SColorMap;
      if (frame->Width <= 0 || frame->Height <= 0 || frame->Width > 65535) return 0;
      GifPixelType *line = malloc((size_t)frame->Width);
      if (!line) return 0;
      static const int starts[] = {0, 4, 2, 1}, steps[] = {8, 8, 4, 2};
      for (int pass = 0; pass < (frame->Interlace ? 4 : 1); pass++) {
        int start = frame->Interlace ? starts[pass] : 0, step = frame->Interlace ? steps[pass] : 1;
        for (int y = start; y < frame->Height; y += step) {
          if (DGifGetLine(gif, line, frame->Width) != GIF_OK) {
            free(line);
            return 1;
          }
          uint64_t row = (uint64_t)frame->Top + (uint64_t)y;
          if (frame->Top < 0 || row >= height) continue;
          for (int x = 0; x < frame->Width; x++) {
            uint64_t column = (uint64_t)frame->Left + (uint64_t)x;
            if (frame->Left < 0 || column >= width || line[x] == transparent) continue;
            uint8_t *out = canvas + (row * width + column) * 4;
            if (map && line[x] < map->ColorCount) {
              out[0] = map->Colors[line[x]].Blue;
              out[1] = map->Colors[line[x]].Green;
              out[2] = map->Colors[line[x]].Red;
            }
            out[3] = 255;
          }
        }
      }
      free(line);
      return 1;
    } else if (type == TERMINATE_RECORD_TYPE) {
      return 0;
    }
  }
  return 0;
}

int gif_decode(const uint8_t *data, size_t size, const codec_target *target, codec_bitmap *bitmap) {
  source from = {data, size};
  int error = 0;
  GifFileType *gif = DGifOpen(&from, read_bytes, &error);
  if (!gif) return 0;
  uint32_t width = gif->SWidth > 0 ? (uint32_t)gif->SWidth : 0, height = gif->SHeight > 0 ? (uint32_t)gif->SHeight : 0;
  int done = 0;
  uint8_t *canvas = NULL;
  if (width > 0 && height > 0 && (uint64_t)width * height <= target->max_pixels) canvas = calloc(height, (size_t)width * 4);
  if (canvas && first_frame(gif, canvas, width, height)) {
    row_sink sink;
    if (sink_open(&sink, bitmap, width, height, target)) {
      for (uint32_t y = 0; y < height; y++) sink_row(&sink, canvas + (size_t)y * width * 4);
      sink_close(&sink);
      done = 1;
    }
  }
  free(canvas);
  DGifCloseFile(gif, &error);
  return done;
}
