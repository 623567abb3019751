#include "CUnicode.h"
#include <unicode/uvernum.h>
#include <unicode/uversion.h>

void cu_version(char *text) {
  UVersionInfo version;
  u_getVersion(version);
  u_versionToString(version, text);
}
