/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Fuzz target: foreground rules as text. A rule that is accepted is written and read back
 * as the same rule. */

#include "fuzz_file.h"
#include <rugose/foreground.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    rug_context *ctx = fuzz_context();
    rug_foreground rule, again;
    char text[RUG_FOREGROUND_TEXT_MAX], *asked = malloc(n + 1);
    if (asked == NULL)
        abort();
    memcpy(asked, data, n);
    asked[n] = '\0';
    if (rug_foreground_parse(ctx, &rule, asked) == RUG_OK) {
        rug_foreground_format(text, rule);
        if (rug_foreground_parse(ctx, &again, text) != RUG_OK ||
            again.kind != rule.kind || again.value < rule.value ||
            again.value > rule.value || again.rest != rule.rest)
            abort();
    } else if (rug_context_error(ctx)[0] == '\0')
        abort();
    free(asked);
    return 0;
}
