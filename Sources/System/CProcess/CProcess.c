#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void limit(int resource, uint64_t value) {
  if (value == 0) return;
  struct rlimit old;
  if (getrlimit(resource, &old) != 0) return;
  if (old.rlim_max != RLIM_INFINITY && value > old.rlim_max) value = old.rlim_max;
  // CPU time: the soft limit sends SIGXCPU, which the outcome is told by; the hard one kills what ignores it.
  uint64_t hard = resource == RLIMIT_CPU ? value + 5 : value;
  if (old.rlim_max != RLIM_INFINITY && hard > old.rlim_max) hard = old.rlim_max;
  struct rlimit new = {.rlim_cur = value, .rlim_max = hard};
  setrlimit(resource, &new);
}

// The calling convention whose numbers the filter knows.
#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define ARCHITECTURE AUDIT_ARCH_RISCV64
#endif

// Sockets are refused but for those of this machine. Where there is no filter for the processor, nothing happens. Other calling conventions
// of the processor have other numbers, and some open sockets by another call: a program that uses one is ended.
static void refuse_network(void) {
#ifdef ARCHITECTURE
  struct sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#ifdef __x86_64__
      // The x32 convention has the same architecture and this bit.
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
#endif
      // Its operations, which no filter sees, open sockets, too.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_io_uring_setup, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_socket, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof rules / sizeof rules[0], rules};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
#endif
}

// Rights that the headers of older kernels do not know.
#ifndef LANDLOCK_ACCESS_FS_TRUNCATE
#define LANDLOCK_ACCESS_FS_TRUNCATE (1ULL << 14)
#endif

static void allow(int rules, const char *path, uint64_t rights) {
  struct landlock_path_beneath_attr beneath = {.allowed_access = rights, .parent_fd = open(path, O_PATH | O_CLOEXEC)};
  if (beneath.parent_fd < 0) return;
  syscall(__NR_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
  close(beneath.parent_fd);
}

static long landlock_version(void) {
  return syscall(__NR_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

// The first version of Landlock forbids renaming from folder to folder altogether and is not used.
int cp_keeps_writing(void) { return landlock_version() >= 2; }

// All files can be read as before; only those below the given folders can be written.
static void refuse_writing(char *const *writable) {
  if (!cp_keeps_writing()) return;
  uint64_t rights = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
                    LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                    LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
                    LANDLOCK_ACCESS_FS_MAKE_SYM | LANDLOCK_ACCESS_FS_REFER;
  if (landlock_version() >= 3) rights |= LANDLOCK_ACCESS_FS_TRUNCATE;
  struct landlock_ruleset_attr handled = {.handled_access_fs = rights};
  int rules = syscall(__NR_landlock_create_ruleset, &handled, sizeof handled.handled_access_fs, 0);
  if (rules < 0) return;
  for (; *writable; writable++) allow(rules, *writable, rights);
  allow(rules, "/dev", rights & (LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_TRUNCATE));
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) syscall(__NR_landlock_restrict_self, rules, 0);
  close(rules);
}

int cp_count(cp_event event) {
  struct perf_event_attr attributes = {
      .size = sizeof attributes,
      .type = event == cp_instructions ? PERF_TYPE_HARDWARE : PERF_TYPE_SOFTWARE,
      .config = event == cp_instructions ? PERF_COUNT_HW_INSTRUCTIONS : PERF_COUNT_SW_TASK_CLOCK,
      // A counter that is shared with others would tell a part.
      .pinned = 1,
      .inherit = 1,
      .exclude_kernel = 1,
      .exclude_hv = 1,
  };
  int descriptor = syscall(__NR_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
  return descriptor < 0 ? -errno : descriptor;
}

int64_t cp_read_count(int descriptor) {
  uint64_t value;
  return read(descriptor, &value, sizeof value) == sizeof value ? (int64_t)value : -1;
}

int cp_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC) == 0 ? 0 : -errno; }

void cp_confine(const cp_limits *limits) {
#if !__has_feature(thread_sanitizer)
  // The sanitizer's own tables take more than any bound would leave.
  limit(RLIMIT_AS, limits->address_space);
#endif
  limit(RLIMIT_CPU, limits->cpu_seconds);
  limit(RLIMIT_FSIZE, limits->file_size);
  limit(RLIMIT_NOFILE, limits->open_files);
  limit(RLIMIT_NPROC, limits->processes);
  struct rlimit none_core = {0, 0};
  setrlimit(RLIMIT_CORE, &none_core);
  if (limits->refuses_network) refuse_network();
  if (limits->writable) refuse_writing(limits->writable);
}

int cp_start(const char *path, char *const arguments[], char *const environment[], const char *folder, int output,
             const cp_limits *limits) {
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) return -errno;
  // Whoever started this program may have had it ignore its children; then the kernel would not keep how they end.
  struct sigaction children;
  if (sigaction(SIGCHLD, NULL, &children) == 0 && children.sa_handler == SIG_IGN) signal(SIGCHLD, SIG_DFL);
  pid_t parent = getpid();
  pid_t child = fork();
  if (child < 0) {
    int error = errno;
    close(report[0]);
    close(report[1]);
    return -error;
  }
  if (child == 0) {
    // Only functions that are safe after a fork of a process with threads.
    int error = 0;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    // The parent's handlers are gone with exec, but what it ignores stays ignored.
    signal(SIGPIPE, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, 0);
    int input = open("/dev/null", O_RDONLY);
    if (input < 0 || dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0) error = errno;
    if (input > 2) close(input);
    if (error == 0 && folder && chdir(folder) != 0) error = errno;
    cp_confine(limits);
    if (error == 0) {
      execve(path, arguments, environment);
      error = errno;
    }
    ssize_t ignored = write(report[1], &error, sizeof error);
    (void)ignored;
    _exit(127);
  }
  close(report[1]);
  // Both sides set the group, so that it stands whoever comes first.
  setpgid(child, child);
  int error = 0;
  ssize_t count;
  do { count = read(report[0], &error, sizeof error); } while (count < 0 && errno == EINTR);
  close(report[0]);
  if (count != (ssize_t)sizeof error) return child;
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
  return -error;
}
