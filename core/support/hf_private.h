/* What hf_config.c (file to JSON) and hf_model.c (JSON to model) share. */
#ifndef FRENZY_SUPPORT_HF_PRIVATE_H
#define FRENZY_SUPPORT_HF_PRIVATE_H

#include <jansson.h>

#include <frenzy/model.h>
#include <frenzy/status.h>

/* All fields but the name. */
fz_status fz_hf_model(const char *path, const json_t *root, fz_model *out, fz_error *err);

#endif
