/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Loops over Morton keys, included once for each width of keys: KEY is the type,
 * KEYED(name) the name of a function. */

/* Makes one key of neighbours that agree above their low bits, and adds up their masses.
 * @return how many are left */
static size_t KEYED(join)(KEY *keys, uint64_t *masses, size_t n, unsigned low_bits)
{
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        KEY key = low_bits < 8 * sizeof(KEY) ? keys[i] >> low_bits : 0;
        if (used > 0 && keys[used - 1] == key) {
            masses[used - 1] += masses[i];
        } else {
            masses[used] = masses[i];
            keys[used++] = key;
        }
    }
    return used;
}

static void KEYED(encode_task)(void *shared, size_t block, int thread)
{
    const point_job *j = shared;
    uint64_t first = rugi_cells_before(&j->cells, block);
    size_t n = (size_t)(rugi_cells_before(&j->cells, block + 1) - first);
    uint64_t *places =
        j->places + (size_t)thread * (size_t)j->layout.axes * RUGI_CELLS_BLOCK;
    j->cells.load(j->cells.user, block, places);
    j->kernels.KEYED(encode)(&j->layout, places, n, (KEY *)j->keys + first);
}

/* The points of the cells of a block, to where their keys are among the sorted ones. */
static void KEYED(weigh_task)(void *shared, size_t block, int thread)
{
    const point_job *j = shared;
    const KEY *sorted = j->keys;
    KEY keys[RUGI_CELLS_BLOCK];
    uint64_t first = rugi_cells_before(&j->cells, block);
    size_t n = (size_t)(rugi_cells_before(&j->cells, block + 1) - first);
    uint64_t *places =
        j->places + (size_t)thread * (size_t)j->layout.axes * RUGI_CELLS_BLOCK;
    j->cells.load(j->cells.user, block, places);
    j->kernels.KEYED(encode)(&j->layout, places, n, keys);
    for (size_t i = 0; i < n; i++) {
        size_t low = 0, high = (size_t)j->cells.n - 1;
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (sorted[middle] < keys[i])
                low = middle + 1;
            else
                high = middle;
        }
        j->masses[low] = j->counts[first + i];
    }
}

/* The boxes of all sizes, from sorted keys. */
static rug_status KEYED(scan)(rug_context *ctx, rug_masses *m, point_job *j)
{
    KEY *keys = j->keys;
    size_t n = (size_t)j->cells.n;
    unsigned seen = 0; /* low bits that are gone */
    for (uint32_t level = 0; level < m->plan.n_levels; level++) {
        rugi_mass_level *out = &m->levels[level];
        unsigned bits = j->layout.box_bits[level];
        n = KEYED(join)(keys, j->masses, n, bits - seen);
        seen = bits;
        memcpy(j->sorted, j->masses, n * sizeof *j->sorted);
        rug_status status = rugi_mass_list_of(ctx, &out->own, &out->n, j->sorted, n, 0);
        out->boxes = out->own;
        if (status != RUG_OK)
            return status;
    }
    return RUG_OK;
}
