/* One way to write a test program: a table of named functions over CUnit's assertions. */
#ifndef FRENZY_TESTS_HARNESS_H
#define FRENZY_TESTS_HARNESS_H

#include <CUnit/CUnit.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct fz_test {
    const char *name;
    void (*run)(void);
} fz_test;

/* Runs all tests of a program; returns what main() returns: 0, or 1 when an assertion failed (CUnit's
 * own return value does not tell). */
int fz_test_main(const char *suite, const fz_test *tests, size_t n_tests);

#define FZ_TEST_MAIN(suite, tests) fz_test_main((suite), (tests), sizeof(tests) / sizeof((tests)[0]))

/* For programs that need the shared data: true if the file can be read; else prints why it skips. */
bool fz_test_have(const char *path);
#define FZ_TEST_SKIPPED 77 /* exit status of a program that skipped as a whole */

#endif
