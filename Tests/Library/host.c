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
