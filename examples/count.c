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
    rug_boxcount_result *counts = NULL;
    rug_fit fit = RUG_FIT_INIT;
    if (rug_context_new(&ctx) != RUG_OK)
        return 1;
    rug_status status = rug_image_view(ctx, &image, pixels, RUG_U8, 2, shape);
    if (status == RUG_OK)
        status = rug_boxcount(ctx, &counts, &image, NULL);
    if (status == RUG_OK)
        status = rug_boxcount_fit(ctx, &fit, counts, RUG_BOXCOUNT_OF_NONEMPTY, NULL);
    if (status == RUG_OK) {
        const rug_box_count *c;
        for (uint32_t i = 0; (c = rug_boxcount_at(counts, i)) != NULL; i++)
            printf("%llu: %llu\n", (unsigned long long)c->size,
                   (unsigned long long)c->nonempty);
        printf("D = %.6f\n", fit.slope);
    } else {
        fprintf(stderr, "%s\n", rug_context_error(ctx));
    }
    rug_boxcount_free(counts);
    rug_context_free(ctx);
    return status == RUG_OK ? 0 : 1;
}
