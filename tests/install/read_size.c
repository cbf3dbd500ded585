/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Uses the installed librugose-io: prints the size of an image file. */

#include <rugose/io.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    rug_context *ctx;
    rug_file *file;
    if (argc != 2 || rug_context_new(&ctx) != RUG_OK)
        return 1;
    if (rug_file_read(ctx, &file, argv[1], NULL) != RUG_OK) {
        fprintf(stderr, "%s\n", rug_context_error(ctx));
        rug_context_free(ctx);
        return 1;
    }
    const rug_image *image = rug_file_image(file);
    printf("%zux%zu %s\n", image->shape[0], image->shape[1],
           rug_dtype_name(image->dtype));
    rug_file_free(file);
    rug_context_free(ctx);
    return 0;
}
