/*
 * typeset.h for Node: functions that return promises, and do their work on threads of Node's pool.
 *
 *   cc -shared -fPIC addon.c -I/usr/include/node $(pkg-config --cflags --libs typeset) -o typeset.node
 *
 * The headers are those of Node itself, or of Debian's libnode-dev. Handles are objects that only typeset.js sees; they
 * are released when nobody has them any more.
 */
#define NAPI_VERSION 8
#include <node_api.h>
#include <stdlib.h>
#include <typeset.h>

typedef struct job job;

/* A function: its arguments (h handle, t text, n number), what it calls, and what it makes of the result. */
typedef struct operation {
  const char *name;
  const char *arguments;
  typeset_status (*run)(job *);
  napi_value (*result)(napi_env, job *);
} operation;

/* A call that is under way. */
struct job {
  const operation *operation;
  void *handle;
  char *text;
  double number[2];
  /* Keeps the object of the handle until the job is done. */
  napi_ref kept;
  void *made;
  size_t count;
  typeset_error *error;
  typeset_status status;
  napi_deferred deferred;
  napi_async_work work;
};

/* ---- Results ---- */

static void free_book(napi_env env, void *made, void *hint) { (void)env, (void)hint, typeset_book_free(made); }
static void free_typesetter(napi_env env, void *made, void *hint) {
  (void)env, (void)hint, typeset_typesetter_free(made);
}
static void free_page(napi_env env, void *made, void *hint) { (void)env, (void)hint, typeset_page_free(made); }

static napi_value external(napi_env env, void *made, napi_finalize release) {
  napi_value value = NULL;
  if (napi_create_external(env, made, release, NULL, &value) != napi_ok) release(env, made, NULL);
  return value;
}
static napi_value book(napi_env env, job *job) { return external(env, job->made, free_book); }
static napi_value typesetter(napi_env env, job *job) { return external(env, job->made, free_typesetter); }
static napi_value page(napi_env env, job *job) { return external(env, job->made, free_page); }

static napi_value text(napi_env env, job *job) {
  napi_value value = NULL;
  napi_create_string_utf8(env, job->made, NAPI_AUTO_LENGTH, &value);
  typeset_free(job->made);
  return value;
}

static napi_value buffer(napi_env env, job *job) {
  napi_value value = NULL;
  napi_create_buffer_copy(env, job->count, job->made, NULL, &value);
  typeset_free(job->made);
  return value;
}

static napi_value number(napi_env env, job *job) {
  napi_value value = NULL;
  napi_create_double(env, (double)job->count, &value);
  return value;
}

/* ---- Calls, on a thread of the pool ---- */

static typeset_status run_open(job *job) {
  return typeset_open(job->text, NULL, (typeset_book **)&job->made, &job->error);
}
static typeset_status run_chapter_count(job *job) {
  job->count = typeset_book_chapter_count(job->handle);
  return TYPESET_OK;
}
static typeset_status run_metadata(job *job) {
  return typeset_book_metadata(job->handle, (char **)&job->made, &job->error);
}
static typeset_status run_contents(job *job) {
  return typeset_book_contents(job->handle, (char **)&job->made, &job->error);
}
static typeset_status run_typesetter(job *job) {
  return typeset_typesetter_new(job->handle, job->text, (typeset_typesetter **)&job->made, &job->error);
}
static typeset_status run_first_page(job *job) {
  return typeset_page_first(job->handle, (typeset_page **)&job->made, &job->error);
}
static typeset_status run_png(job *job) {
  return typeset_page_png(job->handle, job->number[0], (uint8_t **)&job->made, &job->count, &job->error);
}
static typeset_status run_search(job *job) {
  return typeset_search(job->handle, job->text, (uint32_t)job->number[0], (size_t)job->number[1], (char **)&job->made,
                        &job->error);
}

static const operation operations[] = {
  {"open", "t", run_open, book},
  {"chapterCount", "h", run_chapter_count, number},
  {"metadata", "h", run_metadata, text},
  {"contents", "h", run_contents, text},
  {"typesetter", "ht", run_typesetter, typesetter},
  {"firstPage", "h", run_first_page, page},
  {"png", "hn", run_png, buffer},
  {"search", "htnn", run_search, text},
};

static void execute(napi_env env, void *data) {
  job *job = data;
  (void)env;
  job->status = job->operation->run(job);
}

/* ---- Promises, on Node's own thread ---- */

static void release(napi_env env, job *job) {
  if (job->work) napi_delete_async_work(env, job->work);
  if (job->kept) napi_delete_reference(env, job->kept);
  free(job->text);
  free(job);
}

/* An Error with `status` and `part`. */
static napi_value failure(napi_env env, job *job) {
  napi_value error = NULL, value;
  napi_create_string_utf8(env, typeset_error_message(job->error), NAPI_AUTO_LENGTH, &value);
  napi_create_error(env, NULL, value, &error);
  napi_create_string_utf8(env, typeset_error_part(job->error), NAPI_AUTO_LENGTH, &value);
  napi_set_named_property(env, error, "part", value);
  napi_create_int32(env, job->status, &value);
  napi_set_named_property(env, error, "status", value);
  typeset_error_free(job->error);
  return error;
}

static void complete(napi_env env, napi_status status, void *data) {
  job *job = data;
  (void)status;
  if (job->status == TYPESET_OK) {
    napi_resolve_deferred(env, job->deferred, job->operation->result(env, job));
  } else {
    napi_reject_deferred(env, job->deferred, failure(env, job));
  }
  release(env, job);
}

/* Takes over an argument: 0 where it is not what has to be there. */
static int take(napi_env env, job *job, char kind, napi_value value, int *numbers) {
  size_t length;
  switch (kind) {
    case 'h':
      return napi_get_value_external(env, value, &job->handle) == napi_ok
             && napi_create_reference(env, value, 1, &job->kept) == napi_ok;
    case 't':
      return napi_get_value_string_utf8(env, value, NULL, 0, &length) == napi_ok && (job->text = malloc(length + 1))
             && napi_get_value_string_utf8(env, value, job->text, length + 1, &length) == napi_ok;
    default:
      return napi_get_value_double(env, value, &job->number[(*numbers)++]) == napi_ok;
  }
}

static napi_value begin(napi_env env, napi_callback_info info) {
  napi_value arguments[4], name, promise = NULL;
  size_t i, count = 4;
  void *data;
  int numbers = 0, taken = 1;
  job *job = calloc(1, sizeof *job);
  if (!job || napi_get_cb_info(env, info, &count, arguments, NULL, &data) != napi_ok) {
    free(job);
    return NULL;
  }
  job->operation = data;
  for (i = 0; taken && job->operation->arguments[i]; i++)
    taken = take(env, job, job->operation->arguments[i], arguments[i], &numbers);
  napi_create_string_utf8(env, job->operation->name, NAPI_AUTO_LENGTH, &name);
  if (!taken || napi_create_async_work(env, NULL, name, execute, complete, job, &job->work) != napi_ok
      || napi_create_promise(env, &job->deferred, &promise) != napi_ok) {
    release(env, job);
    napi_throw_type_error(env, NULL, "an argument is not of the type that it has to be");
    return NULL;
  }
  napi_queue_async_work(env, job->work);
  return promise;
}

NAPI_MODULE_INIT() {
  size_t i;
  for (i = 0; i < sizeof operations / sizeof *operations; i++) {
    napi_value function;
    napi_create_function(env, operations[i].name, NAPI_AUTO_LENGTH, begin, (void *)&operations[i], &function);
    napi_set_named_property(env, exports, operations[i].name, function);
  }
  return exports;
}
