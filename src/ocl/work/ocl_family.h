/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Families of programs: what is compiled of the same sources, with every set of options that is
 * ever asked for. Engines get their kernels here and nowhere else, so that a test can compile
 * all of them for devices that it does not have.
 *
 *     extern const rugi_ocl_family rugi_cl_dbc_family;
 *     const rugi_ocl_family rugi_cl_dbc_family = {
 *         .sources = {&rugi_cl_dbc},
 *         .kernels = {"dbc_join"},
 *         .options = {{"KEY_BYTES", 3, {1, 2, 4}}}};
 *     status = rugi_ocl_family_get(ctx, device, &kernel, &rugi_cl_dbc_family,
 *                                  (const int[]){key_bytes}, "dbc_join");
 */

#ifndef RUGI_OCL_FAMILY_H
#define RUGI_OCL_FAMILY_H

#include "ocl/ocl.h"

/** The most options of a family, and the most values of one. */
#define RUGI_OCL_OPTIONS_MAX 4
#define RUGI_OCL_VALUES_MAX  16

/** A macro, and the values that it has. */
typedef struct rugi_ocl_option {
    const char *name;
    int n_values;
    int values[RUGI_OCL_VALUES_MAX];
} rugi_ocl_option;

/** Programs of the same sources. Each is named `rugi_cl_NAME_family`, and is a row in
 *  tests/kernels/list_kernels.c. */
typedef struct rugi_ocl_family {
    const rugi_ocl_source *sources[4]; /**< in this order; NULL behind the last */
    const char *kernels[12];           /**< NULL behind the last */
    rugi_ocl_option options[RUGI_OCL_OPTIONS_MAX]; /**< a NULL name behind the last */
    int (*has)(
        const int *values); /**< whether a set of values is asked for; NULL: all are */
    int no_contract;        /**< as of rugi_ocl_build */
    int is_grouped;         /**< for rugi_ocl_grouped_get(): ITEMS is one more option */
} rugi_ocl_family;

/** The sets of options, also those that the family does not have. */
size_t rugi_ocl_family_size(const rugi_ocl_family *family);

/** Set number i of them, by its values in the order of the options.
 *  @return nonzero: the family has it */
int rugi_ocl_family_values(const rugi_ocl_family *family, size_t i,
                           int values[RUGI_OCL_OPTIONS_MAX]);

/** Room for the options of a program. */
#define RUGI_OCL_FAMILY_TEXT 128

/** What a program is built of.
 *  @param text   the options will stand here
 *  @param first  options before those of the family, such as "-DITEMS=256 "; "" = none */
rugi_ocl_build rugi_ocl_family_build(const rugi_ocl_family *family, const int *values,
                                     const char *first, char text[RUGI_OCL_FAMILY_TEXT]);

/** The same, if the family has these values and this kernel.
 *  @return RUG_OK, RUG_E_DEVICE */
rug_status rugi_ocl_family_program(rug_context *ctx, rugi_ocl_build *out,
                                   const rugi_ocl_family *family, const int *values,
                                   const char *name, const char *first,
                                   char text[RUGI_OCL_FAMILY_TEXT]);

/** A kernel of a family, as by rugi_ocl_kernel_get().
 *  @param values  in the order of the options; unused where there are none
 *  @return also RUG_E_DEVICE where the family does not have these values or this kernel */
static inline rug_status rugi_ocl_family_get(rug_context *ctx, rugi_ocl *device,
                                             rugi_ocl_kernel **out,
                                             const rugi_ocl_family *family,
                                             const int *values, const char *name)
{
    char text[RUGI_OCL_FAMILY_TEXT];
    rugi_ocl_build build;
    rug_status status =
        rugi_ocl_family_program(ctx, &build, family, values, name, "", text);
    *out = NULL;
    return status == RUG_OK ? rugi_ocl_kernel_get(ctx, device, out, &build, name)
                            : status;
}

#endif
