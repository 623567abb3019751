#pragma once

/// Notes that the library is used. Returns 0 in a process that was forked after it was.
int ctypeset_enter(void);
/// This process was forked from one that had used the library.
int ctypeset_is_forked(void);
