/* Colors and line styles of schedulers: those of Okabe and Ito ("Color Universal Design", 2008), which people with any
 * kind of color vision tell apart, and a dash pattern, which print and copies keep. By order of first appearance. */
#ifndef FRENZY_SIM_REPORT_PALETTE_H
#define FRENZY_SIM_REPORT_PALETTE_H

#include <stdint.h>

#define FZ_PALETTE_COLORS 7u
#define FZ_PALETTE_DASHES 4u

const char *fz_palette_color(uint32_t label);      /* "#0072b2" */
const char *fz_palette_color_dark(uint32_t label); /* on a dark ground */
uint32_t fz_palette_dash(uint32_t label);          /* 0 (solid) to FZ_PALETTE_DASHES - 1 */

#endif
