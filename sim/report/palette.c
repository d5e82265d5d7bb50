#include "sim/report/palette.h"

const char *fz_palette_color(uint32_t label)
{
    static const char *const colors[FZ_PALETTE_COLORS] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                          "#e69f00", "#56b4e9", "#000000"};
    return colors[label % FZ_PALETTE_COLORS];
}

/* Blue and black are too dark there. */
const char *fz_palette_color_dark(uint32_t label)
{
    static const char *const colors[FZ_PALETTE_COLORS] = {"#4da3d9", "#e8793a", "#1fbf92", "#dd9bc0",
                                                          "#f0b432", "#8ccdf2", "#f0f0f0"};
    return colors[label % FZ_PALETTE_COLORS];
}

/* Within the first colors as well: color is never the only mark. */
uint32_t fz_palette_dash(uint32_t label)
{
    return (label + label / (FZ_PALETTE_COLORS * FZ_PALETTE_DASHES)) % FZ_PALETTE_DASHES;
}
