#include "internal.h"

#include <lcms2.h>
#include <math.h>
#include <stdlib.h>

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
static cmsHTRANSFORM transform_to_srgb(cmsHPROFILE profile, cmsUInt32Number format) {
  cmsHPROFILE srgb = cmsCreate_sRGBProfile();
  if (!srgb) return NULL;
  // Little CMS compensates for black unasked on the way to profiles of version 4.
  cmsSetProfileVersion(srgb, 2.1);
  cmsHTRANSFORM transform = cmsCreateTransform(profile, format, srgb, TYPE_BGRA_8, INTENT_PERCEPTUAL, 0);
  cmsCloseProfile(srgb);
  return transform;
}

/// The level of linear light in sRGB (IEC 61966-2-1), both from 0 to 1.
static double srgb_level(double light) {
  return light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055;
}

/// The curve of a channel is that of sRGB but for two of 255 levels.
static int has_srgb_curve(cmsHPROFILE profile, cmsTagSignature tag) {
  const cmsToneCurve *curve = cmsReadTag(profile, tag);
  if (!curve) return 0;
  for (int level = 0; level <= 255; level += 5)
    if (fabs(srgb_level(cmsEvalToneCurveFloat(curve, (float)level / 255)) * 255 - level) > 2) return 0;
  return 1;
}

/// The colours of a profile by curves and primaries are those of sRGB. Most pictures with a profile have this one, and to make a
/// way that changes nothing takes longer than to lay their page out.
static int is_srgb(cmsHPROFILE profile, cmsColorSpaceSignature space) {
  if (cmsIsTag(profile, cmsSigAToB0Tag)) return 0;
  if (space == cmsSigGrayData) return has_srgb_curve(profile, cmsSigGrayTRCTag);
  if (space != cmsSigRgbData) return 0;
  // The primaries as seen from D50 (ICC.1:2022, annex E).
  static const double primaries[3][3] = {
      {0.4361, 0.2225, 0.0139}, {0.3851, 0.7169, 0.0971}, {0.1431, 0.0606, 0.7141}};
  static const cmsTagSignature colorants[] = {
      cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag};
  for (int i = 0; i < 3; i++) {
    const cmsCIEXYZ *color = cmsReadTag(profile, colorants[i]);
    if (!color || fabs(color->X - primaries[i][0]) > 0.002 || fabs(color->Y - primaries[i][1]) > 0.002 ||
        fabs(color->Z - primaries[i][2]) > 0.002)
      return 0;
  }
  return has_srgb_curve(profile, cmsSigRedTRCTag) && has_srgb_curve(profile, cmsSigGreenTRCTag) &&
         has_srgb_curve(profile, cmsSigBlueTRCTag);
}

codec_colors *codec_colors_create(const codec_profile *profile) {
  if (!codec_colors_available()) return NULL;
  cmsHPROFILE opened = cmsOpenProfileFromMem(profile->bytes, (cmsUInt32Number)profile->size);
  if (!opened) return NULL;
  cmsColorSpaceSignature space = cmsGetColorSpace(opened);
  cmsUInt32Number format = is_of_colors(opened) ? pixel_format(space, profile->channels) : 0;
  codec_colors *colors = format && !is_srgb(opened, space) ? calloc(1, sizeof *colors) : NULL;
  if (colors) {
    colors->channels = (int)T_CHANNELS(format);
    colors->transform = transform_to_srgb(opened, format);
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
