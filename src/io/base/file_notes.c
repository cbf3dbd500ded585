/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What goes with a picture besides its pixels, as readers have noted it, made to go with the pixels
 * that are handed out. */

#include "file_notes.h"
#include "core/context/names.h"
#include "core/context/sized.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *rug_alpha_name(rug_alpha alpha)
{
    static const char *const names[] = {"none", "straight", "premultiplied"};
    return RUGI_NAME(names, alpha);
}

/* ---- What is noted ---- */

void rugi_warn_of_profile(rug_context *ctx, const rug_file *file, const char *why)
{
    rug_context_warn(ctx, "%s: its colour profile is left out: %s", file->path, why);
}

rug_status rugi_keep_profile(rug_context *ctx, rug_file *file, const void *bytes,
                             size_t n)
{
    char text[80];
    if (!file->wants_notes || n == 0)
        return RUG_OK;
    if (n > RUG_FILE_PROFILE_MAX) {
        snprintf(text, sizeof text, "it has %zu bytes, at most %zu are kept", n,
                 RUG_FILE_PROFILE_MAX);
        rugi_warn_of_profile(ctx, file, text);
        return RUG_OK;
    }
    void *profile = rug_context_allocate(ctx, n, 1, file->path);
    if (profile == NULL)
        return RUG_E_NOMEM;
    memcpy(profile, bytes, n);
    rug_context_release(ctx, file->profile);
    file->profile = profile;
    file->notes.icc = profile;
    file->notes.icc_size = n;
    return RUG_OK;
}

static double length(double per_unit)
{
    double v = per_unit > 0 ? 1 / per_unit : 0;
    return isfinite(v) ? v : 0;
}

void rugi_note_resolution(rug_file *file, double rows, double columns, const char *unit)
{
    file->notes.spacing[0] = length(rows);
    file->notes.spacing[1] = length(columns);
    file->notes.unit = unit;
}

double rugi_mm_of(const char *unit)
{
    static const struct {
        const char *name;
        double mm;
    } units[] = {{"nm", 1e-6}, {"um", 1e-3}, {"mm", 1}, {"m", 1e3}, {"in", 25.4}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(unit, units[i].name) == 0)
            return units[i].mm;
    return 0;
}

/* ---- What is handed out ---- */

/* The distance of pixels that is known, or else the resolution, which is turned as the pixels are. */
static void give_spacing(rug_file_notes *out, const rug_file *file)
{
    const rug_image plane = rug_file_plane(file, 0);
    int y = plane.ndim - 2, swaps = file->facts.is_turned && file->facts.orientation >= 5;
    double rows = file->notes.spacing[0], columns = file->notes.spacing[1];
    if (y >= 0 && plane.spacing[y] > 0 && plane.spacing[y + 1] > 0) {
        out->spacing[0] = plane.spacing[y];
        out->spacing[1] = plane.spacing[y + 1];
        out->unit = plane.spacing_unit;
        return;
    }
    out->spacing[0] = swaps ? columns : rows;
    out->spacing[1] = swaps ? rows : columns;
    out->unit = out->spacing[0] > 0 || out->spacing[1] > 0 ? file->notes.unit : NULL;
}

rug_status rug_file_read_notes(rug_context *ctx, rug_file_notes *out,
                               const rug_file *file)
{
    rug_file_notes own = RUG_FILE_NOTES_INIT;
    rug_status status = rugi_clear(ctx, out, "rug_file_notes");
    if (status != RUG_OK)
        return status;
    if (file == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_file_read_notes: NULL given");
    own.icc = file->notes.icc;
    own.icc_size = file->notes.icc_size;
    give_spacing(&own, file);
    own.orientation = file->facts.is_turned ? 1 : file->facts.orientation;
    own.alpha = file->notes.alpha;
    RUGI_GIVE(out, &own);
    return RUG_OK;
}
