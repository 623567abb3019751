#pragma once
#include <stdint.h>

// What a child process may use; 0 is no limit.
typedef struct {
  uint64_t address_space;  // bytes
  uint64_t cpu_seconds;
  uint64_t file_size;  // bytes of one file
  uint64_t open_files;
  uint64_t processes;  // and threads, of all that the user has; the superuser has no such limit
  int refuses_network;
} cp_limits;

// Starts `path` in a process group of its own, with limits that hold before its first instruction, with no standard input,
// in the folder `folder`. Standard output and error go to `output`, all other descriptors that the caller opened with
// FD_CLOEXEC are closed. The child is killed when the thread that started it ends. Returns its process id, or -errno.
int cp_start(const char *path, char *const arguments[], char *const environment[], const char *folder, int output,
             const cp_limits *limits);

// A pipe whose ends are not handed down to children. Returns 0 or -errno.
int cp_pipe(int ends[2]);
