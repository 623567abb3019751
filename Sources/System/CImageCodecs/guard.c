#include "CImageCodecs.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>

// Where the thread goes on when a guarded call aborts; NULL outside such calls.
static _Thread_local sigjmp_buf *resume;
static struct sigaction previous;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void on_abort(int number, siginfo_t *info, void *context) {
  sigjmp_buf *target = resume;
  if (target) {
    resume = NULL;
    siglongjmp(*target, 1);
  }
  if (previous.sa_flags & SA_SIGINFO) {
    if (previous.sa_sigaction) previous.sa_sigaction(number, info, context);
  } else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
    previous.sa_handler(number);
  }
  // Having returned, abort() ends the process.
}

static void install(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_abort;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(SIGABRT, &action, &previous);
}

int codec_guarded_load(codec_loader load, const uint8_t *data, size_t size, void **error, void **result) {
  pthread_once(&once, install);
  sigjmp_buf here;
  if (sigsetjmp(here, 1) != 0) return 0;
  resume = &here;
  *result = load(data, size, error);
  resume = NULL;
  return 1;
}

int codec_guarded_draw(codec_drawer draw, void *document, void *canvas, const void *viewport, void **error,
                       int *result) {
  pthread_once(&once, install);
  sigjmp_buf here;
  if (sigsetjmp(here, 1) != 0) return 0;
  resume = &here;
  *result = draw(document, canvas, viewport, error);
  resume = NULL;
  return 1;
}
