/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Writes the text of every program that engines can ask a device for: list_kernels FOLDER.
 * Each is FOLDER/NAME.N.cl; its line on standard output has NAME.N and the options, with a tab
 * between. With a second argument only the families are named. */

#include "ocl/work/ocl_family.h"
#include <stdio.h>
#include <string.h>

#define FAMILIES(F)      \
    F(ocl_scan)          \
    F(ocl_scan_chunks)   \
    F(ocl_sort_wide)     \
    F(ocl_sort_chunks)   \
    F(boxcount_pyramid)  \
    F(boxcount_mukundan) \
    F(boxcount_hou)      \
    F(dbc)               \
    F(lbp)               \
    F(glcm)              \
    F(masses)            \
    F(masses_local)      \
    F(alpha_load)        \
    F(alpha_slope)       \
    F(ifs_search)        \
    F(ifs_decode)

#define DECLARE(name) extern const rugi_ocl_family rugi_cl_##name##_family;
FAMILIES(DECLARE)

#define ROW(name) {#name, &rugi_cl_##name##_family},
static const struct {
    const char *name;
    const rugi_ocl_family *family;
} rows[] = {FAMILIES(ROW)};

static int write_text(const char *path, const rugi_ocl_build *build)
{
    rugi_ocl_text text;
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        perror(path);
        return 1;
    }
    rugi_ocl_build_text(&text, build);
    for (unsigned i = 0; i < text.n; i++)
        fwrite(text.pieces[i], 1, text.sizes[i], file);
    int failed = ferror(file);
    return fclose(file) != 0 || failed;
}

static int list(const char *folder, const char *name, const rugi_ocl_family *family)
{
    for (size_t i = 0; i < rugi_ocl_family_size(family); i++) {
        char path[1024], text[RUGI_OCL_FAMILY_TEXT];
        int values[RUGI_OCL_OPTIONS_MAX];
        if (!rugi_ocl_family_values(family, i, values))
            continue;
        /* As large as groups are on every GPU. */
        const char *first = family->is_grouped ? "-DITEMS=256 " : "";
        const rugi_ocl_build build = rugi_ocl_family_build(family, values, first, text);
        snprintf(path, sizeof path, "%s/%s.%03zu.cl", folder, name, i);
        if (write_text(path, &build) != 0)
            return 1;
        printf("%s.%03zu\t%s\n", name, i, text);
    }
    return 0;
}

int main(int argc, char **argv)
{
    int failed = argc < 2;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && !failed; i++)
        if (argc > 2)
            puts(rows[i].name);
        else
            failed = list(argv[1], rows[i].name, rows[i].family);
    return failed;
}
