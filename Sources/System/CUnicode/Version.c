#include "CUnicode.h"
#include <unicode/uchar.h>
#include <unicode/uvernum.h>
#include <unicode/uversion.h>

void cu_version(char *text) {
  UVersionInfo version;
  u_getVersion(version);
  u_versionToString(version, text);
}
const char *cu_unicode_version(void) { return U_UNICODE_VERSION; }
