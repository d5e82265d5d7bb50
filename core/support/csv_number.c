#include "core/support/csv.h"
#include "core/support/number.h"

/* Long texts are cut in messages. */
#define SHOWN "%.60s"

fz_status fz_csv_time(const fz_csv *csv, const fz_csv_field *field, const char *what, fz_time *out,
                      fz_error *err)
{
    fz_number_result result = fz_number_time(field->text, field->length, out);
    if (result != FZ_NUMBER_OK)
        return fz_csv_fail(csv, field, err, "%s: '" SHOWN "' %s; decimal seconds are expected", what,
                           field->text, fz_number_problem(result));
    return FZ_OK;
}

fz_status fz_csv_number(const fz_csv *csv, const fz_csv_field *field, const char *what, double *out,
                        fz_error *err)
{
    fz_number_result result = fz_number_real(field->text, field->length, out);
    if (result != FZ_NUMBER_OK)
        return fz_csv_fail(csv, field, err, "%s: '" SHOWN "' %s; a decimal number is expected", what,
                           field->text, fz_number_problem(result));
    return FZ_OK;
}

fz_status fz_csv_count(const fz_csv *csv, const fz_csv_field *field, const char *what, uint64_t max,
                       uint64_t *out, fz_error *err)
{
    fz_number_result result = fz_number_count(field->text, field->length, max, out);
    if (result != FZ_NUMBER_OK)
        return fz_csv_fail(csv, field, err, "%s: '" SHOWN "' %s; a whole number of 0 to %llu is expected",
                           what, field->text, fz_number_problem(result), (unsigned long long)max);
    return FZ_OK;
}
