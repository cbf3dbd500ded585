/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the tests of meshes share: a cube, and meshes that are read as voxels. Include it after
 * io_scratch.h. */

#ifndef RUGOSE_MESH_SUPPORT_H
#define RUGOSE_MESH_SUPPORT_H

#include "../io/read_support.h"
#include <math.h>

/* Voxels a side of most tests. */
#define SIDE 24

static inline rug_read_options in_voxels(uint64_t side, int solid)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.resolution = side;
    opts.solid = solid;
    return opts;
}

/* A mesh of n bytes in so many voxels a side. */
static inline rug_file *read_bytes(scratch *here, const char *name, const void *bytes,
                                   size_t n, uint64_t side, int solid)
{
    rug_read_options opts = in_voxels(side, solid);
    return must_read(put_bytes(here, name, bytes, n), &opts);
}

static inline rug_file *read_text(scratch *here, const char *text, uint64_t side,
                                  int solid)
{
    return read_bytes(here, "mesh.obj", text, strlen(text), side, solid);
}

static inline size_t count_set(const rug_file *file)
{
    const rug_image *m = rug_file_image(file);
    size_t n = 0;
    for (size_t z = 0; z < m->shape[0]; z++)
        for (size_t y = 0; y < m->shape[1]; y++)
            for (size_t x = 0; x < m->shape[2]; x++)
                n += pixel(file, z, y, x) > 0;
    return n;
}

static const char cube_obj[] = "# a cube\no cube\n"
                               "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\n"
                               "v -1 -1 1 1.0\nv 1 -1 1\nv 1 1 1\r\nv -1 1 1\nvn 0 0 1\n"
                               "f 1 4 3 2\nf 5//1 6//1 7//1 8//1\nf -8/1/1 -7/1/1 -3 -4\n"
                               "f 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8 # the last\n";

static inline void assert_same(const rug_file *a, const rug_file *b)
{
    if (!same_views(rug_file_image(a), rug_file_image(b)))
        fail_msg("%s and %s differ", rug_file_get_facts(a)->path,
                 rug_file_get_facts(b)->path);
    assert_memory_equal(rug_file_get_facts(a)->affine, rug_file_get_facts(b)->affine,
                        sizeof rug_file_get_facts(a)->affine);
}

#endif
