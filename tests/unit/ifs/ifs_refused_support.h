/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Streams that are refused. Include it after support.h. */

#ifndef RUGOSE_IFS_REFUSED_SUPPORT_H
#define RUGOSE_IFS_REFUSED_SUPPORT_H

#include <rugose/ifs.h>
#include <string.h>

/* Neither its header nor its picture is read, for a reason that holds a text. */
static inline void refuse(rug_context *ctx, const uint8_t *bytes, size_t n,
                          const char *text)
{
    rug_ifs_info info = RUG_IFS_INFO_INIT;
    rug_ifs_picture picture = RUG_IFS_PICTURE_INIT;
    assert_int_equal(rug_ifs_read_info(ctx, &info, bytes, n), RUG_E_FORMAT);
    if (strstr(rug_context_error(ctx), text) == NULL)
        fail_msg("'%s' expected in '%s'", text, rug_context_error(ctx));
    assert_int_equal(info.nx, 0);
    assert_int_equal(rug_ifs_decompress(ctx, &picture, bytes, n, NULL), RUG_E_FORMAT);
    assert_null(picture.pixels);
}

#endif
