/* The files of page/, embedded by the build. */
#ifndef FRENZY_SIM_REPORT_PAGE_DATA_H
#define FRENZY_SIM_REPORT_PAGE_DATA_H

#include <stddef.h>

extern const unsigned char fz_page_page_css[], fz_page_page_js[], fz_page_uPlot_iife_min_js[],
    fz_page_uPlot_min_css[], fz_page_LICENSE_uPlot[];
extern const size_t fz_page_page_css_length, fz_page_page_js_length, fz_page_uPlot_iife_min_js_length,
    fz_page_uPlot_min_css_length, fz_page_LICENSE_uPlot_length;

#endif
