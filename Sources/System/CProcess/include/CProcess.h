#pragma once
#include <stddef.h>
#include <stdint.h>

// Limits of a child process; 0 is no limit.
typedef struct {
  uint64_t address_space;  // bytes
  uint64_t cpu_seconds;
  uint64_t file_size;  // bytes of one file
  uint64_t open_files;
  uint64_t processes;  // and threads, of all that the user has; the superuser has no such limit
  int refuses_network;
  // The folders below which files may be made, changed and removed, with NULL behind the last; NULL is all. Devices can always
  // be written to. Holds where `cp_keeps_writing`.
  char *const *writable;
} cp_limits;

// Starts `path` in a process group of its own, with limits that hold before its first instruction, with no standard input,
// in the folder `folder`. Standard output and error go to `output`, all other descriptors that the caller opened with
// FD_CLOEXEC are closed. The child is killed when the thread that started it ends. Returns its process id, or -errno.
int cp_start(const char *path, char *const arguments[], char *const environment[], const char *folder, int output,
             const cp_limits *limits);

// Holds this process to limits from now on.
void cp_confine(const cp_limits *limits);

// The kernel has Landlock (5.19 or later) and lets processes use it.
int cp_keeps_writing(void);

// A pipe whose ends are not handed down to children. Returns 0 or -errno.
int cp_pipe(int ends[2]);

// Begins to count what this process and every thread it starts from now on does. Returns a descriptor, or -errno where the
// machine does not count it.
typedef enum { cp_instructions, cp_task_clock } cp_event;
int cp_count(cp_event event);

// The instructions retired outside the kernel, or the nanoseconds of all threads, since the count began; negative where it
// was not counted all the time.
int64_t cp_read_count(int descriptor);
