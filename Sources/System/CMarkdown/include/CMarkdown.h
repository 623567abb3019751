#pragma once
#include <stddef.h>
#include <stdint.h>

/// The library cmark-gfm and its extensions are installed.
int markdown_available(void);
/// The file name of the library to install where one is missing; else NULL.
const char *markdown_missing_library(void);
/// A text of GitHub Flavored Markdown (with tables, footnotes, tasks and deleted text) as HTML, in which its own markup stays as it
/// is. It is made in a process of its own that has `seconds` of time and `memory` bytes. `html` is released with `markdown_free`.
///
/// - Returns: 1 when it is done; 0 where a limit is reached.
int markdown_html(const char *text, size_t size, size_t limit, unsigned seconds, size_t memory, uint8_t **html,
                  size_t *html_size);
void markdown_free(uint8_t *html);
