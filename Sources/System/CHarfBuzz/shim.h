#pragma once
#include <hb.h>
#include <hb-ot.h>

/// Draws the outline of a glyph by the functions given. HarfBuzz 7 changed the name.
static inline void ch_draw_glyph(hb_font_t *font, hb_codepoint_t glyph, hb_draw_funcs_t *functions, void *data) {
#if HB_VERSION_ATLEAST(7, 0, 0)
  hb_font_draw_glyph(font, glyph, functions, data);
#else
  hb_font_get_glyph_shape(font, glyph, functions, data);
#endif
}
