/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reads meshes as volumes: opens a file of one of the formats, checks it, and places it in as many
 * voxels as are asked for. The file is read once, when it is opened. */

#include "io/base/parallel.h"
#include "mesh_voxels.h"
#include <inttypes.h>
#include <string.h>

static const rugi_mesh_format *const formats[] = {&rugi_ply, &rugi_stl, &rugi_obj};

#define N_FORMATS (sizeof formats / sizeof formats[0])

static const rugi_mesh_format *find_format(const rug_file *file)
{
    size_t i = 0;
    while (i < N_FORMATS && !formats[i]->claims(file))
        i++;
    return i < N_FORMATS ? formats[i] : NULL;
}

static int claims(const rug_file *file)
{
    return find_format(file) != NULL;
}

static rug_status check_asked(rug_context *ctx, const rug_file *file,
                              const rug_read_options *opts)
{
    rug_status status = rugi_check_page(ctx, file, opts->page);
    if (status == RUG_OK)
        status = rugi_check_level(ctx, file, opts->level);
    if (status == RUG_OK)
        status = rugi_check_channel(ctx, file, opts->channel);
    if (status == RUG_OK && opts->nodata == RUG_NODATA_VALUE)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "%s: all voxels of a mesh are data; leave out the value of "
            "no data",
            file->path);
    if (status != RUG_OK)
        return status;
    if (opts->resolution == 0)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "%s: is a mesh; say how many voxels its longest side is to have (--resolution "
            "512)",
            file->path);
    if (opts->resolution < RUGI_VOXELS_MIN || opts->resolution > RUGI_VOXELS_MAX)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "%s: a resolution of %" PRIu64 " voxels given, %d to %zu expected",
            file->path, opts->resolution, RUGI_VOXELS_MIN, RUGI_VOXELS_MAX);
    return RUG_OK;
}

/* Numbers of vertices, which formats do not check. */
static rug_status check_mesh(rugi_mesh *mesh)
{
    if (mesh->n_triangles == 0)
        return rugi_mesh_damaged(mesh,
                                 "has %zu vertices, but no faces; as points they can "
                                 "be measured from a text (.csv)",
                                 mesh->n_vertices);
    for (size_t i = 0; i < mesh->n_triangles; i++)
        for (int k = 0; k < 3; k++)
            if (mesh->triangles[i][k] >= mesh->n_vertices)
                return rugi_mesh_damaged(mesh,
                                         "triangle %zu has vertex %" PRIu32
                                         ", counted from 0, but there are %zu",
                                         i + 1, mesh->triangles[i][k], mesh->n_vertices);
    return RUG_OK;
}

static rug_status read_mesh(rugi_mesh *mesh, const rugi_mesh_format *format)
{
    rug_status status =
        rugi_open_regular(mesh->ctx, mesh->path, &mesh->in, &mesh->n_left);
    if (status != RUG_OK)
        return status;
    mesh->buffer = rug_context_allocate(mesh->ctx, RUGI_MESH_BUFFER, 1, mesh->path);
    status = mesh->buffer == NULL ? RUG_E_NOMEM : format->read(mesh);
    rug_context_release(mesh->ctx, mesh->buffer);
    fclose(mesh->in);
    return status == RUG_OK ? check_mesh(mesh) : status;
}

/* ---- Slices ---- */

typedef struct surface_work {
    const rugi_voxels *v;
    unsigned char *slices;
    size_t z;
} surface_work;

static rug_status touch_slice(void *shared, size_t piece, int thread, char *text)
{
    const surface_work *w = shared;
    size_t n_bytes = w->v->side * w->v->row_bytes;
    unsigned char *slice = w->slices + piece * n_bytes;
    (void)thread;
    (void)text;
    memset(slice, 0, n_bytes);
    rugi_surface_slice(w->v, slice, w->z + piece);
    return RUG_OK;
}

static rug_status read_slices(rug_context *ctx, rug_file *file, void *to, size_t first,
                              size_t n)
{
    rugi_voxels *v = file->slabs.state;
    surface_work w = {v, to, first};
    return v->is_solid ? rugi_solid_slices(ctx, v, to, first, n, file->path)
                       : rugi_for_pieces(ctx, n, touch_slice, &w);
}

static void close_voxels(rug_context *ctx, void *state)
{
    rugi_voxels *v = state;
    rugi_solid_close(ctx, v);
    rug_context_release(ctx, v->corners);
    rug_context_release(ctx, v->triangles);
    rug_context_release(ctx, v->order);
    rug_context_release(ctx, v);
}

/* ---- Opening ---- */

/* Voxels are cubes: x, the fastest axis of the volume, is the first coordinate of a vertex. */
static void set_place(rug_context *ctx, rug_file *file, const rugi_voxels *v)
{
    double spacing[3] = {v->pitch, v->pitch, v->pitch}, affine[3][4] = {{0}};
    for (int i = 0; i < 3; i++) {
        affine[i][i] = v->pitch;
        affine[i][3] = v->origin[i] + v->pitch / 2;
    }
    rugi_file_set_spacing(file, spacing, NULL);
    rugi_file_set_affine(ctx, file, "mesh", NULL, affine);
}

static rug_status open_voxels(rug_context *ctx, rug_file *file, rugi_mesh *mesh,
                              const rug_read_options *opts)
{
    const size_t side = (size_t)opts->resolution, shape[3] = {side, side, side};
    rug_status status = rugi_file_set_image(ctx, file, RUG_BIT, 3, shape);
    if (status == RUG_OK)
        status = read_mesh(mesh, find_format(file));
    if (status != RUG_OK)
        return status;
    rugi_voxels *v = rug_context_allocate(ctx, 1, sizeof *v, file->path);
    if (v == NULL)
        return RUG_E_NOMEM;
    *v = (rugi_voxels){.side = side, .is_solid = opts->solid != 0};
    file->slabs = (rugi_slabs){.read = read_slices,
                               .close = close_voxels,
                               .state = v,
                               .any_order = !v->is_solid};
    status = rugi_voxels_place(mesh, v);
    if (status == RUG_OK && v->is_solid)
        status = rugi_solid_check(ctx, v, file->path);
    if (status == RUG_OK)
        set_place(ctx, file, v);
    return status;
}

static rug_status open_mesh(rug_context *ctx, rug_file *file,
                            const rug_read_options *opts)
{
    rugi_mesh mesh = {.ctx = ctx, .path = file->path, .line = 1};
    file->facts.format = find_format(file)->name;
    file->facts.meaning = opts->solid ? "inside of a mesh" : "surface of a mesh";
    rug_status status = check_asked(ctx, file, opts);
    if (status == RUG_OK)
        status = open_voxels(ctx, file, &mesh, opts);
    rug_context_release(ctx, mesh.vertices);
    rug_context_release(ctx, mesh.triangles);
    return status;
}

const rugi_reader rugi_mesh_reader = {claims, open_mesh};
