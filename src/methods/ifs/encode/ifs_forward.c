/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Tables of the forward transform, and symmetries of coefficients. */

#include "ifs_forward.h"

/* cos(k pi / 64), so that no library's rounding decides. */
static const double quarter_wave[33] = {1,
                                        0.99879545620517241,
                                        0.99518472667219693,
                                        0.98917650996478101,
                                        0.98078528040323043,
                                        0.97003125319454397,
                                        0.95694033573220882,
                                        0.94154406518302081,
                                        0.92387953251128674,
                                        0.90398929312344334,
                                        0.88192126434835505,
                                        0.85772861000027212,
                                        0.83146961230254524,
                                        0.80320753148064494,
                                        0.77301045336273699,
                                        0.74095112535495911,
                                        0.70710678118654757,
                                        0.67155895484701833,
                                        0.63439328416364549,
                                        0.59569930449243347,
                                        0.55557023301960229,
                                        0.51410274419322166,
                                        0.47139673682599781,
                                        0.4275550934302822,
                                        0.38268343236508984,
                                        0.33688985339222005,
                                        0.29028467725446233,
                                        0.24298017990326398,
                                        0.19509032201612833,
                                        0.14673047445536175,
                                        0.09801714032956077,
                                        0.049067674327418126,
                                        0};

static double cosine(unsigned k)
{
    k %= 128;
    if (k > 64)
        k = 128 - k;
    return k > 32 ? -quarter_wave[64 - k] : quarter_wave[k];
}

void rugi_ifs_cosines_make(rugi_ifs_cosines *cosines)
{
    static const double scale[RUGI_IFS_LEVELS] = {0.25, 0.35355339059327379, 0.5,
                                                  0.70710678118654757};
    for (unsigned level = 0; level < RUGI_IFS_LEVELS; level++) {
        unsigned n = RUGI_IFS_SIDE(level), step = RUGI_IFS_BLOCK / n;
        for (unsigned k = 0; k < n; k++)
            for (unsigned i = 0; i < n; i++) {
                double value = k == 0 ? scale[level] * 0.70710678118654757
                                      : scale[level] * cosine((2 * i + 1) * k * step);
                cosines->basis[level][k * n + i] = (float)value;
                cosines->turned[level][i * n + k] = (float)value;
            }
    }
}

/* Exchanging left and right changes the sign of functions that are odd along x; turning is
 * transposing and exchanging. */
void rugi_ifs_turn_coefs(float *out, const float *in, unsigned symmetry, size_t side)
{
    static const struct {
        unsigned is_transposed, x, y; /* x, y: odd functions change sign */
    } turn[RUGI_IFS_TURNS] = {{0, 0, 0}, {1, 0, 1}, {0, 1, 1}, {1, 1, 0},
                              {0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {1, 1, 1}};
    size_t dx = turn[symmetry].is_transposed ? side : 1,
           dy = turn[symmetry].is_transposed ? 1 : side;
    for (size_t y = 0; y < side; y++)
        for (size_t x = 0; x < side; x++) {
            float value = in[y * dy + x * dx];
            int is_odd = ((x & turn[symmetry].x) ^ (y & turn[symmetry].y)) & 1;
            out[y * side + x] = is_odd ? -value : value;
        }
}
