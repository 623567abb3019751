#include "CFontconfig.h"

#include <CLoading.h>

// Books that bring their fonts along need none of the system's.
#define LIBRARY "libfontconfig.so.1"

AVAILABLE(fontconfig_is_available)
MISSING(fontconfig_missing_library, fontconfig_is_available)

FORWARD_3(FcChar32, FcCharSetFirstPage, const FcCharSet *, FcChar32 *, FcChar32 *)
FORWARD_3(FcChar32, FcCharSetNextPage, const FcCharSet *, FcChar32 *, FcChar32 *)
FORWARD_2(FcBool, FcConfigAppFontAddDir, FcConfig *, const FcChar8 *)
FORWARD_0(FcConfig *, FcConfigCreate)
FORWARD_1(void, FcConfigDestroy, FcConfig *)
FORWARD_1(FcStrList *, FcConfigGetConfigFiles, FcConfig *)
FORWARD_1(FcStrList *, FcConfigGetFontDirs, FcConfig *)
FORWARD_2(FcFontSet *, FcConfigGetFonts, FcConfig *, FcSetName)
FORWARD_3(FcBool, FcConfigParseAndLoadFromMemory, FcConfig *, const FcChar8 *, FcBool)
FORWARD_3(FcBool, FcConfigSubstitute, FcConfig *, FcPattern *, FcMatchKind)
FORWARD_1(void, FcDefaultSubstitute, FcPattern *)
FORWARD_1(void, FcFontSetDestroy, FcFontSet *)
FORWARD_5(FcFontSet *, FcFontSort, FcConfig *, FcPattern *, FcBool, FcCharSet **, FcResult *)
FORWARD_0(FcConfig *, FcInitLoadConfigAndFonts)
FORWARD_3(FcBool, FcPatternAddBool, FcPattern *, const char *, FcBool)
FORWARD_3(FcBool, FcPatternAddString, FcPattern *, const char *, const FcChar8 *)
FORWARD_0(FcPattern *, FcPatternCreate)
FORWARD_1(void, FcPatternDestroy, FcPattern *)
FORWARD_4(FcResult, FcPatternGetBool, const FcPattern *, const char *, int, FcBool *)
FORWARD_4(FcResult, FcPatternGetCharSet, const FcPattern *, const char *, int, FcCharSet **)
FORWARD_4(FcResult, FcPatternGetDouble, const FcPattern *, const char *, int, double *)
FORWARD_4(FcResult, FcPatternGetInteger, const FcPattern *, const char *, int, int *)
FORWARD_4(FcResult, FcPatternGetRange, const FcPattern *, const char *, int, FcRange **)
FORWARD_4(FcResult, FcPatternGetString, const FcPattern *, const char *, int, FcChar8 **)
FORWARD_5(FcResult, FcPatternGetWithBinding, const FcPattern *, const char *, int, FcValue *, FcValueBinding *)
FORWARD_3(FcBool, FcRangeGetDouble, const FcRange *, double *, double *)
FORWARD_1(void, FcStrListDone, FcStrList *)
FORWARD_1(FcChar8 *, FcStrListNext, FcStrList *)
FORWARD_1(double, FcWeightToOpenTypeDouble, double)
