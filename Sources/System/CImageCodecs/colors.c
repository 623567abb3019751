#include "internal.h"

#include <lcms2.h>
#include <stdlib.h>
#include <string.h>

struct codec_colors {
  cmsHTRANSFORM transform;
  int channels;
};

/// How pixels in memory are read by a profile of a colour space; 0 where they are none of its.
static cmsUInt32Number pixel_format(cmsColorSpaceSignature space, int channels) {
  switch (space) {
  case cmsSigRgbData: return channels == 1 || channels == 3 ? TYPE_BGRA_8 : 0;
  // The first of three equal channels.
  case cmsSigGrayData: return channels == 1 ? TYPE_GRAY_8 | EXTRA_SH(3) : 0;
  case cmsSigCmykData: return channels == 4 ? TYPE_CMYK_8_REV : 0;
  default: return 0;
  }
}

/// The profile describes colours of a device or of a space, not a way from some to others (ICC.1:2022, section 7.2.5).
static int is_of_colors(cmsHPROFILE profile) {
  switch (cmsGetDeviceClass(profile)) {
  case cmsSigInputClass:
  case cmsSigDisplayClass:
  case cmsSigOutputClass:
  case cmsSigColorSpaceClass: return 1;
  default: return 0;
  }
}

/// The way to sRGB as browsers go it: by the perceptual intent, whatever the header says, and black is not compensated for.
static cmsHTRANSFORM transform_to_srgb(cmsHPROFILE profile, cmsUInt32Number format, cmsUInt32Number flags) {
  cmsHPROFILE srgb = cmsCreate_sRGBProfile();
  if (!srgb) return NULL;
  // Little CMS compensates for black unasked on the way to profiles of version 4.
  cmsSetProfileVersion(srgb, 2.1);
  cmsHTRANSFORM transform = cmsCreateTransform(profile, format, srgb, TYPE_BGRA_8, INTENT_PERCEPTUAL, flags);
  cmsCloseProfile(srgb);
  return transform;
}

/// No colour of a coarse grid differs from that of sRGB by more than rounding does.
static int is_srgb(cmsHPROFILE profile, cmsUInt32Number format) {
  if (T_CHANNELS(format) == 4) return 0;
  // Most profiles are that of sRGB, and to make a way fast takes far longer than to go it a few times.
  cmsHTRANSFORM transform = transform_to_srgb(profile, format, cmsFLAGS_NOOPTIMIZE | cmsFLAGS_NOCACHE);
  if (!transform) return 0;
  uint8_t levels[6 * 6 * 6][4], pixels[6 * 6 * 6][4];
  for (int index = 0; index < 6 * 6 * 6; index++) {
    uint8_t *level = levels[index];
    level[0] = (uint8_t)(index % 6 * 51);
    level[1] = T_CHANNELS(format) == 1 ? level[0] : (uint8_t)(index / 6 % 6 * 51);
    level[2] = T_CHANNELS(format) == 1 ? level[0] : (uint8_t)(index / 36 * 51);
    level[3] = 255;
  }
  memcpy(pixels, levels, sizeof levels);
  cmsDoTransform(transform, pixels, pixels, 6 * 6 * 6);
  cmsDeleteTransform(transform);
  for (int index = 0; index < 6 * 6 * 6; index++)
    for (int c = 0; c < 3; c++)
      if (abs(pixels[index][c] - levels[index][c]) > 2) return 0;
  return 1;
}

codec_colors *codec_colors_create(const codec_profile *profile) {
  if (!codec_colors_available()) return NULL;
  cmsHPROFILE opened = cmsOpenProfileFromMem(profile->bytes, (cmsUInt32Number)profile->size);
  if (!opened) return NULL;
  cmsColorSpaceSignature space = cmsGetColorSpace(opened);
  cmsUInt32Number format = is_of_colors(opened) ? pixel_format(space, profile->channels) : 0;
  codec_colors *colors = format && !is_srgb(opened, format) ? calloc(1, sizeof *colors) : NULL;
  if (colors) {
    colors->channels = (int)T_CHANNELS(format);
    colors->transform = transform_to_srgb(opened, format, 0);
    if (!colors->transform) {
      codec_colors_destroy(colors);
      colors = NULL;
    }
  }
  cmsCloseProfile(opened);
  return colors;
}

int codec_colors_channels(const codec_colors *colors) { return colors->channels; }

void codec_colors_convert(const codec_colors *colors, uint8_t *pixels, size_t count) {
  if (!colors) return;
  cmsDoTransform(colors->transform, pixels, pixels, (cmsUInt32Number)count);
  if (colors->channels == 4)
    for (size_t i = 0; i < count; i++) pixels[i * 4 + 3] = 255;
}

void codec_colors_destroy(codec_colors *colors) {
  if (!colors) return;
  if (colors->transform) cmsDeleteTransform(colors->transform);
  free(colors);
}
