/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* From files to slices in their order in space. Files of a series are sorted by their position along
 * the normal of the slices, never by name or number; those at one position are volumes of their own,
 * in the order of their acquisition (DICOM PS3.3, C.7.6.2.1.1). */

#include "dicom_stack.h"
#include "dicom_files.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Positions along the normal that differ by less, in mm, are one. */
#define SAME_PLACE 1e-3

/* Cosines that differ by less are equal: files round them. */
#define SAME_DIRECTION 1e-3

/* The share of a slice's distance by which others may differ before it is said. */
#define SAME_DISTANCE 0.01

/* ---- Files ---- */

/* The least bytes of a file that holds what a head promises; those of compressed frames are one each. */
static int find_least(uint64_t *least, const rugi_dicom_head *head)
{
    uint64_t row = head->n_columns * head->n_samples * ((head->bits_allocated + 7) / 8);
    *least = head->n_frames;
    return head->is_packed || (rugi_multiply(least, *least, head->n_rows) &&
                               rugi_multiply(least, *least, row));
}

/* Reads a head, and compares what it promises with the size of the file. */
static rug_status read_head(rug_context *ctx, const char *path, rugi_dicom_head *head)
{
    struct stat facts;
    uint64_t least;
    rug_status status =
        rugi_dicom_ask(ctx, RUGI_DICOM_HEAD, path, head, 1, sizeof *head, 0);
    if (status != RUG_OK || head->n_rows == 0 || head->n_columns == 0)
        return status;
    int fits = find_least(&least, head);
    if (stat(path, &facts) != 0)
        return rug_context_fail(ctx, RUG_E_IO, "%s: cannot be read: %s", path,
                                strerror(errno));
    if (fits && least <= (uint64_t)facts.st_size)
        return RUG_OK;
    return rug_context_fail(
        ctx, RUG_E_FORMAT,
        "%s: cut off, or the head lies: %ju frame%s of %jux%ju and %u bits promised, in %jd bytes",
        path, (uintmax_t)head->n_frames, head->n_frames == 1 ? "" : "s",
        (uintmax_t)head->n_rows, (uintmax_t)head->n_columns, head->bits_allocated,
        (intmax_t)facts.st_size);
}

/* ---- Series ---- */

/* A file of a folder. */
typedef struct member {
    char *path; /* owned */
    rugi_dicom_head head;
} member;

/* Series by number and UID, their files as they were. */
static int by_series(const void *a, const void *b)
{
    const member *p = a, *q = b;
    if (p->head.series_number != q->head.series_number)
        return p->head.series_number < q->head.series_number ? -1 : 1;
    int order = strcmp(p->head.series, q->head.series);
    return order != 0 ? order : strcmp(p->path, q->path);
}

/* Files of one series from `first` on. */
static size_t count_series(const member *members, size_t n, size_t first)
{
    size_t end = first + 1;
    while (end < n && strcmp(members[end].head.series, members[first].head.series) == 0)
        end++;
    return end - first;
}

/* Appends to a text as much as it holds. */
static void append(char *text, size_t size, const char *more)
{
    size_t n = strlen(text);
    snprintf(text + n, size - n, "%s", more);
}

/* "1: CT, 40 files, 'chest' (1.2.840...)" of each. */
static void list_series(char *text, size_t size, const member *members, size_t n)
{
    size_t number = 1;
    text[0] = '\0';
    for (size_t i = 0; i < n; number++) {
        size_t n_files = count_series(members, n, i);
        const rugi_dicom_head *h = &members[i].head;
        char one[3 * RUGI_DICOM_TEXT + 64];
        snprintf(one, sizeof one, "%s%zu: %s, %zu file%s%s%s%s (%s)", i > 0 ? "; " : "",
                 number, h->modality[0] != '\0' ? h->modality : "unknown", n_files,
                 n_files == 1 ? "" : "s", h->description[0] != '\0' ? ", '" : "",
                 h->description, h->description[0] != '\0' ? "'" : "", h->series);
        append(text, size, one);
        i += n_files;
    }
}

/* Finds the series that is asked.
 * @param first, count  its files
 * @return whether there is one */
static int find_series(const member *members, size_t n, const char *asked, size_t *first,
                       size_t *count)
{
    char number[24];
    size_t k = 1;
    *count = count_series(members, n, 0);
    *first = 0;
    if (asked == NULL)
        return *count == n;
    for (; *first < n; *first += *count, k++) {
        *count = count_series(members, n, *first);
        snprintf(number, sizeof number, "%zu", k);
        if (strcmp(asked, number) == 0 || strcmp(asked, members[*first].head.series) == 0)
            return 1;
    }
    return 0;
}

static rug_status choose_series(rug_context *ctx, const char *folder,
                                const member *members, size_t n, const char *asked,
                                size_t *first, size_t *count)
{
    char text[4096];
    if (find_series(members, n, asked, first, count))
        return RUG_OK;
    list_series(text, sizeof text, members, n);
    if (asked != NULL)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "%s: there is no series %s; there are: %s", folder, asked,
                                text);
    return rug_context_fail(ctx, RUG_E_ARG,
                            "%s: holds several series; choose one with --series N: %s",
                            folder, text);
}

/* Reads the heads of files; those without rows, such as reports, are left out. */
static rug_status read_members(rug_context *ctx, const char *folder, member *members,
                               size_t *n, char **paths, size_t n_paths)
{
    rug_status status = RUG_OK;
    for (size_t i = 0; status == RUG_OK && i < n_paths; i++) {
        member *m = &members[*n];
        status = read_head(ctx, paths[i], &m->head);
        if (status == RUG_OK && m->head.n_rows > 0 && m->head.n_columns > 0) {
            m->path = paths[i];
            paths[i] = NULL;
            ++*n;
        }
        if (status == RUG_OK)
            status = rug_context_step(ctx, (double)i / (double)n_paths);
    }
    if (status == RUG_OK && *n == 0)
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "%s: none of its %zu DICOM files has pixels", folder,
                                n_paths);
    if (status == RUG_OK && *n < n_paths)
        rug_context_warn(ctx, "%s: %zu of its %zu DICOM files have no pixels", folder,
                         n_paths - *n, n_paths);
    return status;
}

/* Whether the files of a series are of one kind. */
static rug_status check_same(rug_context *ctx, const member *members, size_t n)
{
    const rugi_dicom_head *a = &members[0].head;
    for (size_t i = 1; i < n; i++) {
        const rugi_dicom_head *b = &members[i].head;
        if (a->n_rows != b->n_rows || a->n_columns != b->n_columns ||
            a->n_samples != b->n_samples || a->bits_allocated != b->bits_allocated ||
            a->is_signed != b->is_signed || strcmp(a->photometric, b->photometric) != 0)
            return rug_context_fail(
                ctx, RUG_E_FORMAT,
                "%s: is %ju x %ju of %u bits, but %s of the same series is %ju x %ju of %u "
                "bits; slices of one shape and type expected",
                members[i].path, (uintmax_t)b->n_rows, (uintmax_t)b->n_columns,
                b->bits_allocated, members[0].path, (uintmax_t)a->n_rows,
                (uintmax_t)a->n_columns, a->bits_allocated);
    }
    return RUG_OK;
}

/* ---- Slices ---- */

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Adds the frames of a file. */
static rug_status add_slices(rug_context *ctx, rugi_dicom_stack *stack, size_t file,
                             const rugi_dicom_head *head, rugi_dicom_frame *frames)
{
    uint64_t n = head->n_frames;
    rug_status status = RUG_OK;
    frames[0] = head->frame;
    if (n > 1)
        status = rugi_dicom_ask(ctx, RUGI_DICOM_FRAMES, stack->paths[file], frames, n,
                                sizeof *frames, 0);
    for (uint64_t i = 0; status == RUG_OK && i < n; i++)
        stack->slices[stack->n_slices++] =
            (rugi_dicom_slice){.file = file,
                               .frame = i,
                               .n_frames = n,
                               .place = frames[i],
                               .acquisition = head->acquisition,
                               .instance = head->instance};
    return status;
}

static rug_status make_slices(rug_context *ctx, rugi_dicom_stack *stack,
                              const member *members, size_t n)
{
    uint64_t n_slices = 0, most = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t n_frames = members[i].head.n_frames;
        n_slices += n_frames;
        most = n_frames > most ? n_frames : most;
    }
    rugi_dicom_frame *frames =
        rug_context_allocate(ctx, (size_t)most, sizeof *frames, stack->paths[0]);
    stack->slices = rug_context_allocate(ctx, (size_t)n_slices, sizeof *stack->slices,
                                         stack->paths[0]);
    rug_status status = frames != NULL && stack->slices != NULL ? RUG_OK : RUG_E_NOMEM;
    for (size_t i = 0; status == RUG_OK && i < n; i++)
        status = add_slices(ctx, stack, i, &members[i].head, frames);
    rug_context_release(ctx, frames);
    return status;
}

/* Whether all slices say where they lie, and are parallel. */
static rug_status check_places(rug_context *ctx, rugi_dicom_stack *stack,
                               const char *path)
{
    const rugi_dicom_frame *first = &stack->slices[0].place;
    size_t n_placed = 0;
    for (size_t i = 0; i < stack->n_slices; i++) {
        const rugi_dicom_frame *f = &stack->slices[i].place;
        if (!f->has_position || !f->has_orientation)
            continue;
        n_placed++;
        for (int k = 0; k < 6; k++)
            if (!(fabs(f->orientation[k] - first->orientation[k]) <= SAME_DIRECTION))
                return rug_context_fail(
                    ctx, RUG_E_FORMAT,
                    "%s: slices of this series are not parallel (%s and %s), so they are no "
                    "volume; give one file at a time",
                    path, stack->paths[stack->slices[0].file],
                    stack->paths[stack->slices[i].file]);
    }
    if (n_placed > 0 && n_placed < stack->n_slices)
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "%s: %zu of %zu slices do not say where they lie", path,
                                stack->n_slices - n_placed, stack->n_slices);
    stack->is_placed = n_placed > 0;
    return RUG_OK;
}

static int by_number(const void *a, const void *b)
{
    const rugi_dicom_slice *p = a, *q = b;
    if (p->acquisition != q->acquisition)
        return p->acquisition < q->acquisition ? -1 : 1;
    if (p->instance != q->instance)
        return p->instance < q->instance ? -1 : 1;
    if (p->file != q->file)
        return p->file < q->file ? -1 : 1;
    return p->frame < q->frame ? -1 : p->frame > q->frame;
}

static int by_place(const void *a, const void *b)
{
    const rugi_dicom_slice *p = a, *q = b;
    if (p->along < q->along || p->along > q->along)
        return p->along < q->along ? -1 : 1;
    return by_number(a, b);
}

/* Slices at one place get one distance, so that sorting knows them as equal. */
static void join_places(rugi_dicom_slice *slices, size_t n)
{
    qsort(slices, n, sizeof *slices, by_place);
    for (size_t i = 1; i < n; i++)
        if (slices[i].along - slices[i - 1].along < SAME_PLACE)
            slices[i].along = slices[i - 1].along;
    qsort(slices, n, sizeof *slices, by_place);
}

/* Deals slices at the same places to volumes. */
static rug_status deal(rug_context *ctx, rugi_dicom_stack *stack, const char *path)
{
    rugi_dicom_slice *s = stack->slices;
    size_t n = stack->n_slices, n_volumes = 1;
    while (n_volumes < n && s[n_volumes].along <= s[0].along)
        n_volumes++;
    for (size_t i = 0; i < n; i++) {
        size_t first = i - i % n_volumes;
        int is_new = i > 0 && s[i].along > s[i - 1].along;
        if (is_new != (i > 0 && i == first) || n % n_volumes != 0)
            return rug_context_fail(
                ctx, RUG_E_FORMAT,
                "%s: %zu slices at the first place, but another number at others: slices are "
                "missing, or series are mixed",
                path, n_volumes);
    }
    rugi_dicom_slice *dealt = rug_context_allocate(ctx, n, sizeof *dealt, path);
    if (dealt == NULL)
        return RUG_E_NOMEM;
    stack->n_volumes = n_volumes;
    stack->n_slices = n / n_volumes;
    for (size_t i = 0; i < n; i++)
        dealt[i % n_volumes * stack->n_slices + i / n_volumes] = s[i];
    rug_context_release(ctx, s);
    stack->slices = dealt;
    return RUG_OK;
}

static int by_size(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return p < q ? -1 : p > q;
}

/* The distance that half of the slices have. Others are warned of. */
static rug_status find_distance(rug_context *ctx, const rugi_dicom_stack *stack,
                                const char *path, double *distance)
{
    size_t n = stack->n_slices - 1, n_other = 0;
    double *gaps = rug_context_allocate(ctx, n, sizeof *gaps, path);
    if (gaps == NULL)
        return RUG_E_NOMEM;
    for (size_t i = 0; i < n; i++)
        gaps[i] = stack->slices[i + 1].along - stack->slices[i].along;
    qsort(gaps, n, sizeof *gaps, by_size);
    *distance = gaps[n / 2];
    for (size_t i = 0; i < n; i++)
        n_other += fabs(gaps[i] - *distance) > SAME_DISTANCE * *distance ? 1u : 0u;
    if (n_other > 0)
        rug_context_warn(
            ctx,
            "%s: slices are not evenly spaced: %.6g to %.6g mm, and %zu of %zu "
            "distances are not %.6g mm; they are read as if all were",
            path, gaps[0], gaps[n - 1], n_other, n, *distance);
    rug_context_release(ctx, gaps);
    return RUG_OK;
}

/* The way from slice to slice, which may be oblique to the slices. */
static rug_status find_step(rug_context *ctx, rugi_dicom_stack *stack, const char *path,
                            const double normal[3])
{
    const rugi_dicom_slice *first = &stack->slices[0],
                           *last = &stack->slices[stack->n_slices - 1];
    double distance, way[3];
    if (stack->n_slices < 2)
        return RUG_OK;
    rug_status status = find_distance(ctx, stack, path, &distance);
    if (status != RUG_OK)
        return status;
    for (int k = 0; k < 3; k++)
        way[k] = last->place.position[k] - first->place.position[k];
    double along = dot(way, normal), slant = sqrt(fmax(0, dot(way, way) - along * along));
    for (int k = 0; k < 3; k++)
        stack->step[k] = way[k] / along * distance;
    if (slant > SAME_DISTANCE * along)
        rug_context_warn(
            ctx,
            "%s: slices are shifted against each other by %.3g mm for each mm "
            "along the normal (a tilted gantry); pixels are read as stored",
            path, slant / along);
    return RUG_OK;
}

static rug_status sort(rug_context *ctx, rugi_dicom_stack *stack, const char *path)
{
    const double *o = stack->slices[0].place.orientation;
    const double normal[3] = {o[1] * o[5] - o[2] * o[4], o[2] * o[3] - o[0] * o[5],
                              o[0] * o[4] - o[1] * o[3]};
    if (!(fabs(dot(normal, normal) - 1) <= 0.1))
        return rug_context_fail(
            ctx, RUG_E_FORMAT,
            "%s: the directions of rows and columns are no unit vectors "
            "at right angles",
            path);
    for (size_t i = 0; i < stack->n_slices; i++) {
        stack->slices[i].along = dot(stack->slices[i].place.position, normal);
        if (!isfinite(stack->slices[i].along))
            return rug_context_fail(
                ctx, RUG_E_FORMAT, "%s: a slice lies nowhere: its position is not finite",
                path);
    }
    join_places(stack->slices, stack->n_slices);
    rug_status status = deal(ctx, stack, path);
    return status == RUG_OK ? find_step(ctx, stack, path, normal) : status;
}

/* Makes a stack of files, whose paths it owns already. */
static rug_status make_stack(rug_context *ctx, rugi_dicom_stack *stack, const char *path,
                             const member *members, size_t n)
{
    stack->head = members[0].head;
    stack->n_volumes = 1;
    rug_status status = make_slices(ctx, stack, members, n);
    if (status == RUG_OK)
        status = check_places(ctx, stack, path);
    if (status == RUG_OK && stack->is_placed)
        return sort(ctx, stack, path);
    if (status == RUG_OK)
        qsort(stack->slices, stack->n_slices, sizeof *stack->slices, by_number);
    if (status == RUG_OK && n > 1)
        rug_context_warn(
            ctx,
            "%s: its slices do not say where they lie; they are in the order of "
            "their instance numbers",
            path);
    return status;
}

/* Hands the paths of a series to its stack. */
static rug_status take_series(rug_context *ctx, rugi_dicom_stack *stack,
                              const char *folder, member *members, size_t n)
{
    rug_status status = check_same(ctx, members, n);
    if (status != RUG_OK)
        return status;
    stack->paths = rug_context_allocate(ctx, n, sizeof *stack->paths, folder);
    if (stack->paths == NULL)
        return RUG_E_NOMEM;
    for (; stack->n_files < n; stack->n_files++) {
        stack->paths[stack->n_files] = members[stack->n_files].path;
        members[stack->n_files].path = NULL;
    }
    return make_stack(ctx, stack, folder, members, n);
}

static rug_status find_in_folder(rug_context *ctx, rugi_dicom_stack *stack,
                                 const char *folder, const char *series)
{
    char **paths = NULL;
    size_t n = 0, n_paths = 0, first, count;
    rug_status status = rugi_dicom_scan(ctx, &paths, &n_paths, folder);
    member *members = rug_context_allocate(ctx, n_paths + 1, sizeof *members, folder);
    if (status == RUG_OK && members == NULL)
        status = RUG_E_NOMEM;
    if (status == RUG_OK)
        status = read_members(ctx, folder, members, &n, paths, n_paths);
    if (status == RUG_OK) {
        qsort(members, n, sizeof *members, by_series);
        status = choose_series(ctx, folder, members, n, series, &first, &count);
    }
    if (status == RUG_OK)
        status = take_series(ctx, stack, folder, members + first, count);
    for (size_t i = 0; i < n; i++)
        rug_context_release(ctx, members[i].path);
    rugi_dicom_end_scan(ctx, paths, n_paths);
    rug_context_release(ctx, members);
    return status;
}

static rug_status find_in_file(rug_context *ctx, rugi_dicom_stack *stack,
                               const char *path)
{
    member one = {.path = NULL};
    size_t n = strlen(path) + 1;
    rug_status status = read_head(ctx, path, &one.head);
    if (status != RUG_OK)
        return status;
    if (one.head.n_rows == 0 || one.head.n_columns == 0)
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "%s: is a DICOM file without pixels (%s)", path,
                                one.head.modality);
    one.path = rug_context_allocate(ctx, n, 1, path);
    if (one.path == NULL)
        return RUG_E_NOMEM;
    memcpy(one.path, path, n);
    status = take_series(ctx, stack, path, &one, 1);
    rug_context_release(ctx, one.path);
    return status;
}

rug_status rugi_dicom_find(rug_context *ctx, rugi_dicom_stack *stack,
                           const rug_file *file, const char *series)
{
    const char *path = file->path;
    memset(stack, 0, sizeof *stack);
    if (file->is_folder)
        return find_in_folder(ctx, stack, path, series);
    if (series != NULL)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "%s: series %s requested, but it is a file; series are in "
            "folders",
            path, series);
    return find_in_file(ctx, stack, path);
}

void rugi_dicom_clear(rug_context *ctx, rugi_dicom_stack *stack)
{
    for (size_t i = 0; i < stack->n_files; i++)
        rug_context_release(ctx, stack->paths[i]);
    rug_context_release(ctx, stack->paths);
    rug_context_release(ctx, stack->slices);
    memset(stack, 0, sizeof *stack);
}
