/* A host of the library: what it does to the process, from several threads, and after fork. Prints what is wrong. */
#define _GNU_SOURCE
#include <dirent.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <typeset.h>
#include <unistd.h>

static const char *path;
static int faults;
#define EXPECT(condition) ((condition) ? (void)0 : (void)(faults++, printf("line %d: %s\n", __LINE__, #condition)))

/* The pixels of the first page. */
static uint8_t *draw(typeset_typesetter *typesetter, size_t *count) {
  typeset_page *page = NULL;
  size_t width = 0, height = 0;
  uint8_t *pixels = NULL;
  if (typeset_page_first(typesetter, &page, NULL) == TYPESET_OK
      && typeset_page_pixel_size(page, 1, &width, &height, NULL) == TYPESET_OK) {
    *count = width * height * 4;
    pixels = malloc(*count);
    if (typeset_page_draw(page, NULL, pixels, *count, NULL) != TYPESET_OK) *count = 0;
  }
  typeset_page_free(page);
  return pixels;
}

static typeset_typesetter *typesetter;
static uint8_t *expected;
static size_t size;

/* On a stack that is no deeper than a system gives at the least. */
static void *work(void *context) {
  size_t count = 0;
  uint8_t *pixels = draw(typesetter, &count);
  (void)context;
  EXPECT(count == size && memcmp(pixels, expected, size) == 0);
  free(pixels);
  return NULL;
}

static int threads(void) {
  int count = 0;
  DIR *folder = opendir("/proc/self/task");
  if (!folder) return 0;
  while (readdir(folder)) count++;
  closedir(folder);
  return count - 2;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1000 + (double)time.tv_nsec / 1e6;
}

/* The bytes of a PDF that have come, and how many calls of `progress` are allowed. */
typedef struct file {
  uint8_t *bytes;
  size_t count;
  int most;
  size_t pages, chapters, chapter_count;
} file;

static int32_t append(void *context, const uint8_t *bytes, size_t count) {
  file *file = context;
  file->bytes = realloc(file->bytes, file->count + count);
  memcpy(file->bytes + file->count, bytes, count);
  file->count += count;
  return 0;
}

static int32_t reached(void *context, size_t pages, size_t chapters, size_t chapter_count) {
  file *file = context;
  file->pages = pages, file->chapters = chapters, file->chapter_count = chapter_count;
  return file->most-- == 0;
}

/* A PDF in parts and in memory are the same; who stops it is told so, and gets none. */
static void write_pdf(void) {
  typeset_pdf_options options = {0};
  file whole = {0}, stopped = {0};
  uint8_t *bytes = NULL;
  char *warnings = NULL;
  size_t count = 0, pages = 0;
  options.size = sizeof options;
  options.progress = reached;
  options.context = &whole;
  whole.most = -1;
  EXPECT(typeset_pdf(typesetter, &options, append, &whole, &warnings, NULL) == TYPESET_OK);
  EXPECT(warnings && strcmp(warnings, "[]") == 0);
  EXPECT(typeset_page_count_all(typesetter, &pages, NULL) == TYPESET_OK && whole.pages == pages && pages > 2);
  EXPECT(whole.chapters == 4 && whole.chapter_count == 4);
  EXPECT(typeset_pdf_memory(typesetter, NULL, &bytes, &count, NULL, NULL) == TYPESET_OK);
  EXPECT(count == whole.count && memcmp(bytes, whole.bytes, count) == 0);
  typeset_free(warnings);
  typeset_free(bytes);

  stopped.most = 1;
  options.context = &stopped;
  bytes = (uint8_t *)&stopped;
  EXPECT(typeset_pdf_memory(typesetter, &options, &bytes, &count, &warnings, NULL) == TYPESET_INTERRUPTED);
  EXPECT(!bytes && !warnings && count == 0);
  options.standards = 8;
  EXPECT(typeset_pdf_memory(typesetter, &options, &bytes, &count, NULL, NULL) == TYPESET_INVALID_ARGUMENT);
  options.size = 8;
  EXPECT(typeset_pdf_memory(typesetter, &options, &bytes, &count, NULL, NULL) == TYPESET_INVALID_ARGUMENT);
  free(whole.bytes);
}

/* Reads files of the folder `path` for a book, and counts who is told of the end. */
static int released;

static FILE *file_at(const char *name, int64_t *count) {
  char whole[4096];
  FILE *file;
  snprintf(whole, sizeof whole, "%s/%s", path, name);
  file = fopen(whole, "rb");
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  *count = ftell(file);
  rewind(file);
  return file;
}

static int64_t size_of_file(void *context, const char *name) {
  int64_t count = -1;
  FILE *file = file_at(name, &count);
  (void)context;
  if (file) fclose(file);
  return count;
}

static int32_t read_file(void *context, const char *name, uint8_t *bytes, size_t count) {
  int64_t found = 0;
  FILE *file = file_at(name, &found);
  size_t got = file ? fread(bytes, 1, count, file) : 0;
  (void)context;
  if (file) fclose(file);
  return got != count;
}

static void release(void *context) { __atomic_add_fetch((int *)context, 1, __ATOMIC_SEQ_CST); }

/* The same pages from files that this program reads, under a pool of next to nothing. */
static void read_by_functions(void) {
  const char *names = "[\"mimetype\",\"META-INF/container.xml\",\"OEBPS/package.opf\",\"OEBPS/nav.xhtml\",\"OEBPS/title.xhtml\","
                      "\"OEBPS/part-1.xhtml\",\"OEBPS/part-2.xhtml\",\"OEBPS/notes.xhtml\",\"OEBPS/style.css\"]";
  typeset_files files = {0};
  typeset_typesetter_options options = {0};
  typeset_book *book = NULL;
  typeset_pool *pool = NULL;
  typeset_typesetter *own = NULL;
  uint8_t *pixels;
  char *usage = NULL;
  size_t count = 0;
  int i;
  files.size = sizeof files;
  files.paths = names;
  files.file_size = size_of_file;
  files.file_read = read_file;
  files.context = &released;
  files.release = release;
  EXPECT(typeset_open_files(&files, "mine", NULL, &book, NULL) == TYPESET_OK);
  EXPECT(typeset_pool_new(1, 1, &pool, NULL) == TYPESET_OK);
  options.size = sizeof options;
  options.pool = pool;
  EXPECT(typeset_typesetter_new_with(book, NULL, &options, &own, NULL) == TYPESET_OK);
  typeset_book_free(book);
  pixels = draw(own, &count);
  EXPECT(count == size && memcmp(pixels, expected, size) == 0);
  EXPECT(typeset_pool_usage(pool, &usage, NULL) == TYPESET_OK && strstr(usage, "\"typesetters\":1"));
  EXPECT(__atomic_load_n(&released, __ATOMIC_SEQ_CST) == 0);
  typeset_free(usage);
  typeset_pool_free(pool);
  typeset_typesetter_free(own);
  free(pixels);
  /* A thread of the library may be about to let go of it. */
  for (i = 0; i < 500 && __atomic_load_n(&released, __ATOMIC_SEQ_CST) == 0; i++) usleep(10000);
  EXPECT(__atomic_load_n(&released, __ATOMIC_SEQ_CST) == 1);
}

int main(int argc, char **argv) {
  struct sigaction before[32], after;
  typeset_book *book = NULL;
  pthread_attr_t small;
  pthread_t others[8];
  mode_t mask;
  pid_t child;
  int i, status;
  if (argc != 2) return 64;
  path = argv[1];
  setlocale(LC_ALL, "C");
  for (i = 1; i < 32; i++) sigaction(i, NULL, &before[i]);
  mask = umask(022);
  umask(mask);

  EXPECT(typeset_version_atleast(TYPESET_VERSION_MAJOR, TYPESET_VERSION_MINOR, TYPESET_VERSION_PATCH));
  EXPECT(typeset_open(path, NULL, &book, NULL) == TYPESET_OK);
  EXPECT(typeset_typesetter_new(book, NULL, &typesetter, NULL) == TYPESET_OK);
  expected = draw(typesetter, &size);
  EXPECT(size == 600 * 800 * 4);
  /* Swift's pool of threads is not started: there are this one and those that laid out the page. */
  EXPECT(threads() <= 3);

  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 128 << 10);
  for (i = 0; i < 8; i++) EXPECT(pthread_create(&others[i], &small, work, NULL) == 0);
  for (i = 0; i < 8; i++) pthread_join(others[i], NULL);

  write_pdf();
  read_by_functions();

  EXPECT(strcmp(setlocale(LC_ALL, NULL), "C") == 0);
  for (i = 1; i < 32; i++) {
    sigaction(i, NULL, &after);
    EXPECT(after.sa_handler == before[i].sa_handler);
  }
  EXPECT(umask(mask) == mask);

  fflush(stdout);
  child = fork();
  if (child == 0) {
    double start = now();
    alarm(30);
    faults = 0;
    EXPECT(typeset_open(path, NULL, &book, NULL) == TYPESET_FORKED);
    printf("fork after use is answered in %.3f ms\n", now() - start);
    fflush(stdout);
    _exit(faults);
  }
  EXPECT(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  /* The parent goes on. */
  work(NULL);

  free(expected);
  typeset_typesetter_free(typesetter);
  typeset_book_free(book);
  return faults != 0;
}
