#include "tests/harness.h"

#include <CUnit/Basic.h>
#include <stdio.h>
#include <unistd.h>

int fz_test_main(const char *suite, const fz_test *tests, size_t n_tests)
{
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 1;
    CU_pSuite pointer = CU_add_suite(suite, NULL, NULL);
    for (size_t i = 0; pointer != NULL && i < n_tests; i++)
        if (CU_add_test(pointer, tests[i].name, tests[i].run) == NULL)
            pointer = NULL;
    int failed = 1;
    if (pointer != NULL) {
        CU_basic_set_mode(CU_BRM_NORMAL);
        CU_basic_run_tests();
        failed = CU_get_number_of_failures() != 0 || CU_get_number_of_tests_run() != n_tests;
    }
    CU_cleanup_registry();
    return failed;
}

bool fz_test_have(const char *path)
{
    if (access(path, R_OK) == 0)
        return true;
    printf("skipped: %s is not there\n", path);
    return false;
}
