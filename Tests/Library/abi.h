const char *typeset_version(void);
int32_t typeset_version_atleast(int32_t major, int32_t minor, int32_t patch);
typedef int32_t typeset_status;
enum {
 TYPESET_OK = 0,
 TYPESET_UNREADABLE = 1,
 TYPESET_PROTECTED = 2,
 TYPESET_NONCONFORMING = 3,
 TYPESET_MISSING = 4,
 TYPESET_UNWRITABLE = 5,
 TYPESET_UNAVAILABLE = 6,
 TYPESET_LIMIT = 7,
 TYPESET_INTERRUPTED = 8,
 TYPESET_NO_SUCH_PAGE = 9,
 TYPESET_INVALID_ARGUMENT = 10,
 TYPESET_FORKED = 11,
 TYPESET_SUPERSEDED = 12
};
typedef struct typeset_error typeset_error;
typeset_status typeset_error_status(const typeset_error *error);
const char *typeset_error_message(const typeset_error *error);
const char *typeset_error_part(const typeset_error *error);
const char *typeset_error_protection(const typeset_error *error);
void typeset_error_free(typeset_error *error);
void typeset_free(void *memory);
typedef struct typeset_book typeset_book;
typedef int32_t (*typeset_decrypt)(void *context, const char *path, const char *algorithm, const uint8_t *bytes,
 size_t count, uint8_t *plain, size_t *plain_count);
typedef void (*typeset_release)(void *context);
typedef struct typeset_open_options {
 size_t size;
 const char *encoding;
 typeset_decrypt decrypt;
 void *context;
 typeset_release release;
 const char *chapter_patterns;
} typeset_open_options;
typeset_status typeset_open(const char *path, const typeset_open_options *options, typeset_book **book,
 typeset_error **error);
typeset_status typeset_open_memory(const void *bytes, size_t count, const char *name,
 const typeset_open_options *options, typeset_book **book, typeset_error **error);
typedef int64_t (*typeset_file_size)(void *context, const char *path);
typedef int32_t (*typeset_file_read)(void *context, const char *path, uint8_t *bytes, size_t count);
typedef struct typeset_files {
 size_t size;
 const char *paths;
 typeset_file_size file_size;
 typeset_file_read file_read;
 void *context;
 typeset_release release;
} typeset_files;
typeset_status typeset_open_files(const typeset_files *files, const char *name, const typeset_open_options *options,
 typeset_book **book, typeset_error **error);
void typeset_book_free(typeset_book *book);
size_t typeset_book_chapter_count(const typeset_book *book);
typeset_status typeset_book_metadata(const typeset_book *book, char **json, typeset_error **error);
typeset_status typeset_book_contents(const typeset_book *book, char **json, typeset_error **error);
typeset_status typeset_book_chapters(const typeset_book *book, char **json, typeset_error **error);
typeset_status typeset_book_resource(const typeset_book *book, const char *path, uint8_t **bytes, size_t *count,
 char **media_type, typeset_error **error);
typeset_status typeset_book_diagnostics(const typeset_book *book, char **json, typeset_error **error);
typedef struct typeset_pool typeset_pool;
typeset_status typeset_pool_new(size_t memory, size_t threads, typeset_pool **pool, typeset_error **error);
void typeset_pool_free(typeset_pool *pool);
typeset_status typeset_pool_usage(const typeset_pool *pool, char **json, typeset_error **error);
typeset_status typeset_pool_release_memory(typeset_pool *pool, typeset_error **error);
void typeset_bound_memory(void);
typedef struct typeset_typesetter typeset_typesetter;
typeset_status typeset_typesetter_new(const typeset_book *book, const char *settings, typeset_typesetter **typesetter,
 typeset_error **error);
typedef struct typeset_typesetter_options {
 size_t size;
 const char *directory;
 size_t cache_limit;
 typeset_pool *pool;
} typeset_typesetter_options;
typeset_status typeset_typesetter_new_with(const typeset_book *book, const char *settings,
 const typeset_typesetter_options *options, typeset_typesetter **typesetter,
 typeset_error **error);
typeset_status typeset_typesetter_directory(typeset_typesetter *typesetter, char **json, typeset_error **error);
typeset_status typeset_typesetter_cancel(typeset_typesetter *typesetter, typeset_error **error);
typedef struct typeset_cancellation typeset_cancellation;
typeset_status typeset_cancellation_new(typeset_cancellation **cancellation, typeset_error **error);
typeset_status typeset_cancellation_bind(typeset_cancellation *cancellation, typeset_error **error);
void typeset_cancellation_unbind(void);
typeset_status typeset_cancellation_request(typeset_cancellation *cancellation, typeset_error **error);
void typeset_cancellation_free(typeset_cancellation *cancellation);
size_t typeset_typesetter_cached_bytes(const typeset_typesetter *typesetter);
typeset_status typeset_typesetter_release_memory(typeset_typesetter *typesetter, typeset_error **error);
void typeset_typesetter_free(typeset_typesetter *typesetter);
typeset_status typeset_typesetter_settings(const typeset_typesetter *typesetter, char **json, typeset_error **error);
typeset_status typeset_typesetter_apply(typeset_typesetter *typesetter, const char *settings, typeset_error **error);
typeset_status typeset_page_count(typeset_typesetter *typesetter, size_t chapter, size_t *count,
 typeset_error **error);
typeset_status typeset_page_count_all(typeset_typesetter *typesetter, size_t *count, typeset_error **error);
typeset_status typeset_page_estimate(typeset_typesetter *typesetter, char **json, typeset_error **error);
typedef struct typeset_page typeset_page;
typeset_status typeset_page_first(typeset_typesetter *typesetter, typeset_page **page, typeset_error **error);
typeset_status typeset_page_at(typeset_typesetter *typesetter, size_t chapter, size_t index, typeset_page **page,
 typeset_error **error);
typeset_status typeset_page_next(typeset_typesetter *typesetter, const typeset_page *page, typeset_page **next,
 typeset_error **error);
typeset_status typeset_page_previous(typeset_typesetter *typesetter, const typeset_page *page,
 typeset_page **previous, typeset_error **error);
typeset_status typeset_page_at_place(typeset_typesetter *typesetter, const char *place, typeset_page **page,
 typeset_error **error);
void typeset_page_free(typeset_page *page);
size_t typeset_page_chapter(const typeset_page *page);
size_t typeset_page_index(const typeset_page *page);
double typeset_page_width(const typeset_page *page);
double typeset_page_height(const typeset_page *page);
typeset_status typeset_page_start(const typeset_page *page, char **place, typeset_error **error);
typeset_status typeset_page_png(const typeset_page *page, double scale, uint8_t **bytes, size_t *count,
 typeset_error **error);
typeset_status typeset_page_png_annotated(const typeset_page *page, double scale, const char *annotations,
 uint8_t **bytes, size_t *count, typeset_error **error);
enum {
 TYPESET_BGRA = 0,
 TYPESET_RGBA = 1,
 TYPESET_GRAY = 2
};
typedef struct typeset_drawing {
 size_t size;
 double scale;
 int32_t format;
 size_t stride;
 size_t x, y, width, height;
 const char *annotations;
} typeset_drawing;
typeset_status typeset_page_pixel_size(const typeset_page *page, double scale, size_t *width, size_t *height,
 typeset_error **error);
typeset_status typeset_page_draw(const typeset_page *page, const typeset_drawing *drawing, void *memory, size_t count,
 typeset_error **error);
typeset_status typeset_page_display_list(const typeset_page *page, const char *annotations, char **json,
 typeset_error **error);
typeset_status typeset_page_face(const typeset_page *page, uint32_t font, char **json, typeset_error **error);
typeset_status typeset_page_glyph_outline(const typeset_page *page, uint32_t font, uint32_t glyph, char **path,
 typeset_error **error);
typeset_status typeset_page_glyph_picture(const typeset_page *page, uint32_t font, uint32_t glyph, uint32_t pixels_per_em,
 const char *color, uint8_t **bytes, size_t *count, double *box,
 typeset_error **error);
typeset_status typeset_page_image_file(const typeset_page *page, uint32_t image, uint8_t **bytes, size_t *count,
 char **media_type, typeset_error **error);
typeset_status typeset_page_image_png(const typeset_page *page, uint32_t image, size_t width, size_t height,
 uint8_t **bytes, size_t *count, typeset_error **error);
typeset_status typeset_page_text(const typeset_page *page, char **json, typeset_error **error);
typeset_status typeset_page_structure(const typeset_page *page, char **json, typeset_error **error);
typeset_status typeset_page_diagnostics(const typeset_page *page, char **json, typeset_error **error);
typeset_status typeset_diagnostics(typeset_typesetter *typesetter, size_t chapter, char **json, typeset_error **error);
typeset_status typeset_page_hit(const typeset_page *page, double x, double y, char **json, typeset_error **error);
typeset_status typeset_page_stretch(const typeset_page *page, const char *start, const char *end, char **json,
 typeset_error **error);
typedef struct typeset_spread typeset_spread;
enum {
 TYPESET_LEFT = 0,
 TYPESET_RIGHT = 1
};
typeset_status typeset_spread_at(typeset_typesetter *typesetter, size_t chapter, size_t index, typeset_spread **spread,
 typeset_error **error);
typeset_status typeset_spread_at_place(typeset_typesetter *typesetter, const char *place, typeset_spread **spread,
 typeset_error **error);
typeset_status typeset_spread_next(typeset_typesetter *typesetter, const typeset_spread *spread, typeset_spread **next,
 typeset_error **error);
typeset_status typeset_spread_previous(typeset_typesetter *typesetter, const typeset_spread *spread,
 typeset_spread **previous, typeset_error **error);
void typeset_spread_free(typeset_spread *spread);
typeset_status typeset_spread_page(const typeset_spread *spread, int32_t side, typeset_page **page,
 typeset_error **error);
typeset_status typeset_spread_outline(const typeset_spread *spread, char **json, typeset_error **error);
typeset_status typeset_spread_png(const typeset_spread *spread, double scale, const char *annotations, uint8_t **bytes,
 size_t *count, typeset_error **error);
typeset_status typeset_sentences(typeset_typesetter *typesetter, size_t chapter, const char *start, char **json,
 typeset_error **error);
typeset_status typeset_media_overlay(typeset_typesetter *typesetter, size_t chapter, char **json,
 typeset_error **error);
typeset_status typeset_book_link(const typeset_book *book, const char *href, const char *source, char **place,
 typeset_error **error);
typeset_status typeset_note(typeset_typesetter *typesetter, const char *mark, double width, double scale, char **json,
 uint8_t **bytes, size_t *count, typeset_error **error);
typeset_status typeset_book_cfi(const typeset_book *book, const char *start, const char *end, char **cfi,
 typeset_error **error);
typeset_status typeset_book_range(const typeset_book *book, const char *cfi, char **json, typeset_error **error);
typeset_status typeset_book_positions(const typeset_book *book, char **json, typeset_error **error);
typeset_status typeset_book_position(const typeset_book *book, const char *place, char **json, typeset_error **error);
typeset_status typeset_book_position_place(const typeset_book *book, size_t number, char **place,
 typeset_error **error);
typeset_status typeset_page_annotations_at(const typeset_page *page, const char *annotations, double x, double y,
 char **json, typeset_error **error);
typeset_status typeset_annotations_write(const typeset_book *book, const char *set, char **written,
 typeset_error **error);
typeset_status typeset_annotations_read(const typeset_book *book, const char *written, char **set,
 typeset_error **error);
enum {
 TYPESET_PDF_A2U = 1,
 TYPESET_PDF_A2A = 2,
 TYPESET_PDF_UA1 = 4
};
typedef int32_t (*typeset_progress)(void *context, size_t pages, size_t chapters, size_t chapter_count);
typedef int32_t (*typeset_write)(void *context, const uint8_t *bytes, size_t count);
typedef struct typeset_pdf_options {
 size_t size;
 uint32_t standards;
 int64_t creation_time;
 typeset_progress progress;
 void *context;
} typeset_pdf_options;
typeset_status typeset_pdf(typeset_typesetter *typesetter, const typeset_pdf_options *options, typeset_write write,
 void *context, char **warnings, typeset_error **error);
typeset_status typeset_pdf_memory(typeset_typesetter *typesetter, const typeset_pdf_options *options, uint8_t **bytes,
 size_t *count, char **warnings, typeset_error **error);
enum {
 TYPESET_IGNORE_CASE = 1,
 TYPESET_IGNORE_WIDTH = 2,
 TYPESET_IGNORE_DIACRITICS = 4,
 TYPESET_IGNORE_KANA = 8,
 TYPESET_IGNORE_HYPHENS = 16,
 TYPESET_IGNORE_PUNCTUATION_FORMS = 32,
 TYPESET_IGNORE_CHINESE_FORMS = 64,
 TYPESET_IGNORE_ALL = 127,
 TYPESET_WHOLE_WORDS = 128
};
typeset_status typeset_search(typeset_typesetter *typesetter, const char *phrase, uint32_t options, size_t chapter,
 char **json, typeset_error **error);
