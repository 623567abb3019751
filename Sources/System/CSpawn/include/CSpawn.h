#pragma once
#include <sys/types.h>

// Starts a program in the environment of this process, with `input` as its standard input, output and errors that go nowhere,
// no other descriptor, no signal blocked. Safe in a process with threads. Returns its process id, or -errno.
pid_t cs_spawn(const char *program, char *const arguments[], int input);
