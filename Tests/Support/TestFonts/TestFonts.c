#include "TestFonts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Runs before the first test, and so before fontconfig is asked for anything; programs that tests start inherit it. The file
// stands where fontconfig looks for a user's own, so that the system's rules hold as ever.
__attribute__((constructor)) static void name_fonts(void) {
  char folder[4096];
  const char *end = strrchr(__FILE__, '/');
  if (!end) return;
  snprintf(folder, sizeof folder, "%.*s", (int)(end - __FILE__), __FILE__);
  setenv("XDG_CONFIG_HOME", folder, 1);
  unsetenv("FONTCONFIG_FILE");
}
