#pragma once

// The entry point of the program `fuzz`, under the name that the package manager gives the entry points of Swift programs.
int fuzz_main(int count, char **arguments);
