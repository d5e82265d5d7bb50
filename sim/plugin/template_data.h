/* The files of template/, embedded by the build. */
#ifndef FRENZY_SIM_PLUGIN_TEMPLATE_DATA_H
#define FRENZY_SIM_PLUGIN_TEMPLATE_DATA_H

#include <stddef.h>

extern const unsigned char fz_template_mine_c[], fz_template_CMakeLists_txt[];
extern const size_t fz_template_mine_c_length, fz_template_CMakeLists_txt_length;

#endif
