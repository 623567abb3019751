#pragma once
#include <stddef.h>
#include <stdint.h>

/// Simplified forms of the Chinese characters from `first` on, by ICU's transliteration Traditional-Simplified: `forms[i]` becomes that
/// of `first + i`, itself where it has no other. Returns 0, and leaves `forms`, where ICU or its data are not installed.
int ctransliteration_simplified(uint16_t first, size_t count, uint16_t *forms);
