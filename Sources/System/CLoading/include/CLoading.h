#pragma once
#include <dlfcn.h>
#include <stddef.h>

// Libraries that most runs do without are loaded when a first function of theirs is called: a program that is linked with all of
// them takes longer to start than to show a page. A file that defines `LIBRARY` and has a line FORWARD_n for each function that
// is called, of n parameters, stands in for the library. The library's own header declares the functions, so the compiler checks
// each line. They are not seen outside the program, whose other parts may link the library.

/// A function of a library; NULL where the library is not installed, or too old to have it.
static inline void *loading_find(const char *library, const char *name) {
  void *loaded = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
  return loaded ? dlsym(loaded, name) : NULL;
}

/// Defines a function that says whether the library is installed. Callers ask it before they begin: without the library its
/// functions do nothing and return 0.
#define AVAILABLE(name)                                                                                                \
  int name(void) {                                                                                                     \
    static int found;                                                                                                  \
    if (__atomic_load_n(&found, __ATOMIC_RELAXED)) return 1;                                                           \
    if (!dlopen(LIBRARY, RTLD_LAZY | RTLD_LOCAL)) return 0;                                                            \
    __atomic_store_n(&found, 1, __ATOMIC_RELAXED);                                                                     \
    return 1;                                                                                                          \
  }

/// Defines a function that gives the library's file name where it is not installed, as another says, and else NULL.
#define MISSING(name, is_available)                                                                                    \
  const char *name(void) { return is_available() ? NULL : LIBRARY; }

/// The function's name may be a macro, by which a header gives it a version.
#define FORWARD(result, name, parameters, arguments) LOADING_FORWARD(result, name, parameters, arguments)

#define LOADING_FORWARD(result, name, parameters, arguments)                                                           \
  __attribute__((visibility("hidden"))) result name parameters {                                                       \
    static __typeof__(&name) function;                                                                                 \
    __typeof__(&name) known = __atomic_load_n(&function, __ATOMIC_RELAXED);                                            \
    if (!known) {                                                                                                      \
      known = (__typeof__(&name))loading_find(LIBRARY, #name);                                                         \
      if (!known) return (result)0;                                                                                    \
      __atomic_store_n(&function, known, __ATOMIC_RELAXED);                                                            \
    }                                                                                                                  \
    return known arguments;                                                                                            \
  }

#define FORWARD_0(result, name) FORWARD(result, name, (void), ())
#define FORWARD_1(result, name, A) FORWARD(result, name, (A a), (a))
#define FORWARD_2(result, name, A, B) FORWARD(result, name, (A a, B b), (a, b))
#define FORWARD_3(result, name, A, B, C) FORWARD(result, name, (A a, B b, C c), (a, b, c))
#define FORWARD_4(result, name, A, B, C, D) FORWARD(result, name, (A a, B b, C c, D d), (a, b, c, d))
#define FORWARD_5(result, name, A, B, C, D, E) FORWARD(result, name, (A a, B b, C c, D d, E e), (a, b, c, d, e))
#define FORWARD_6(result, name, A, B, C, D, E, F)                                                                      \
  FORWARD(result, name, (A a, B b, C c, D d, E e, F f), (a, b, c, d, e, f))
#define FORWARD_7(result, name, A, B, C, D, E, F, G)                                                                   \
  FORWARD(result, name, (A a, B b, C c, D d, E e, F f, G g), (a, b, c, d, e, f, g))
