#pragma once

/// ICU is installed. Most books do without it: it is loaded at its first use.
int icu_is_available(void);
