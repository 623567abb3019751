#pragma once
// libxml2 built with ICU pulls ICU's headers in, which collide with Foundation's own ICU module.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/SAX2.h>
#include <libxml/encoding.h>
#include <libxml/xmlerror.h>

// The version of the library that is there when the program runs, such as 20914; the variable may be mutable in C.
static inline const char *clibxml2_version(void) { return xmlParserVersion; }
