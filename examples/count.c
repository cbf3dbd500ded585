/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box-counts an image in memory: a Sierpinski triangle of 64 x 64 pixels. Prints the
 * counts and the dimension, ln 3 / ln 2. Build it with
 *
 *     cc count.c $(pkg-config --cflags --libs rugose) -o count */

#include <rugose/rugose.h>
#include <stdio.h>

int main(void)
{
    static unsigned char pixels[64][64];
    const size_t shape[2] = {64, 64};
    for (int y = 0; y < 64; y++)
        for (int x = 0; x < 64; x++)
            pixels[y][x] = (y & x) == 0;

    rug_context *ctx;
    rug_image image;
    rug_boxcount_result counts;
    rug_boxcount_dimension fit;
    if (rug_context_new(&ctx) != RUG_OK)
        return 1;
    if (rug_image_view(ctx, &image, pixels, RUG_U8, 2, shape) != RUG_OK ||
        rug_boxcount(ctx, &counts, &image, NULL) != RUG_OK ||
        rug_boxcount_fit(ctx, &fit, &counts, NULL) != RUG_OK) {
        fprintf(stderr, "%s\n", rug_context_error(ctx));
        rug_context_free(ctx);
        return 1;
    }
    for (unsigned i = 0; i < counts.n_sizes; i++)
        printf("%llu: %llu\n", (unsigned long long)counts.counts[i].size,
               (unsigned long long)counts.counts[i].nonempty);
    printf("D = %.6f\n", fit.dimension);
    rug_context_free(ctx);
    return 0;
}
