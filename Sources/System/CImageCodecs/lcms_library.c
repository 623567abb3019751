#include "internal.h"

#include <lcms2.h>

#include <CLoading.h>

#define LIBRARY "liblcms2.so.2"
AVAILABLE(codec_colors_available)
MISSING(codec_colors_missing_library, codec_colors_available)
FORWARD_2(cmsHPROFILE, cmsOpenProfileFromMem, const void *, cmsUInt32Number)
FORWARD_1(cmsBool, cmsCloseProfile, cmsHPROFILE)
FORWARD_0(cmsHPROFILE, cmsCreate_sRGBProfile)
FORWARD_2(void, cmsSetProfileVersion, cmsHPROFILE, cmsFloat64Number)
FORWARD_1(cmsColorSpaceSignature, cmsGetColorSpace, cmsHPROFILE)
FORWARD_1(cmsProfileClassSignature, cmsGetDeviceClass, cmsHPROFILE)
FORWARD_2(cmsBool, cmsIsTag, cmsHPROFILE, cmsTagSignature)
FORWARD_2(void *, cmsReadTag, cmsHPROFILE, cmsTagSignature)
FORWARD_2(cmsFloat32Number, cmsEvalToneCurveFloat, const cmsToneCurve *, cmsFloat32Number)
FORWARD_6(cmsHTRANSFORM, cmsCreateTransform, cmsHPROFILE, cmsUInt32Number, cmsHPROFILE, cmsUInt32Number, cmsUInt32Number,
          cmsUInt32Number)
FORWARD_1(void, cmsDeleteTransform, cmsHTRANSFORM)
FORWARD_4(void, cmsDoTransform, cmsHTRANSFORM, const void *, void *, cmsUInt32Number)
