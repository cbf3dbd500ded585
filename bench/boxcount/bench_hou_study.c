/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The study of Jimenez and Ruiz de Miras (2013), "Box-counting algorithm on GPU and
 * multi-core CPU: an OpenCL cross-platform study", Journal of Supercomputing 65, anew:
 * from packed cells bits interleaved, keys sorted, boxes counted, stage by stage, by one thread, by all, and
 * by OpenCL devices in the shape of a GPU (many work groups) and of a processor (a few
 * chunks). Models: the Menger sponge of 243 cells a side, and meshes or volumes that are given.
 *
 *     bench_hou_study [-r RUNS] [-d DEVICE] [-s SIDES] [-l] [FOLDER | VOLUME | MESH]...
 *
 * A MESH, .ply, .stl or .obj, is counted solid and as a surface, 128, 256 and 512 cells a side, or
 * SIDES such as 64,100. A folder has files such as bunny_solid_512.nii.gz. Without -d the first
 * processor and the first GPU that OpenCL has are taken. With -l not the ways are timed but the
 * shares of threads (bench_hou_load.h). The program fails when two ways count otherwise, and when
 * a mesh is refused. */

#include "bench.h"
#include "bench_hou_load.h"
#include "bench_hou_models.h"
#include "boxcount/hou/boxcount_scan.h"
#include "boxcount/opencl/boxcount_hou_device.h"
#include "core/context/threads.h"
#include <rugose/io.h>
#include <rugose/rugose.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_WAYS 8

/* What is timed; upload and download are 0 of the processor. */
enum { WHOLE, KEYS, SORT, SCAN, UPLOAD, DOWNLOAD, N_STAGES };
static const char *const stage_names[N_STAGES] = {"whole", "keys",   "sort",
                                                  "scan",  "upload", "download"};

#define MOST_SIDES 8
#define MOST_SIDE  1024

/* What is asked for. */
typedef struct request {
    const char *device; /* NULL: the first processor and the first GPU */
    int n_runs, is_load;
    size_t sides[MOST_SIDES];
    int n_sides;
} request;

typedef struct way {
    char name[BENCH_NAME];
    rug_context *ctx;
    int is_device, is_call; /* else the stages one by one, on the processor */
    rugi_ocl_shape shape;
    double best[N_STAGES];
} way;

static void encode_task(void *shared, size_t block, int thread)
{
    const bench_model *m = shared;
    const rugi_cells *cells = &m->packed.cells;
    uint64_t places[3 * RUGI_CELLS_BLOCK], first = rugi_cells_before(cells, block);
    size_t n = (size_t)(rugi_cells_before(cells, block + 1) - first);
    (void)thread;
    if (n == 0)
        return;
    cells->load(cells->user, block, places);
    m->kernels.encode_u64(&m->layout, places, n, m->keys + first);
}

static void take_counts(bench_model *m, const rugi_key_counts *counts)
{
    for (uint32_t i = 0; i < m->got->facts.n_sizes; i++) {
        unsigned bits = m->layout.box_bits[i];
        m->got->counts[i].nonempty = counts->nonempty[bits];
        m->got->counts[i].black = bits == 3 * i ? counts->full[bits] : 0;
    }
}

/* The stages, one by one. */
static rug_status run_here(way *w, bench_model *m, double seconds[N_STAGES])
{
    rugi_key_counts counts;
    uint64_t asked = 0;
    for (uint32_t i = 0; i < m->got->facts.n_sizes; i++)
        asked |= (uint64_t)1 << m->layout.box_bits[i];
    double began = bench_now();
    rug_status status =
        rugi_parallel_for(w->ctx, m->packed.cells.n_blocks, encode_task, m);
    double keyed = bench_now();
    if (status == RUG_OK)
        status = rugi_sort_u64(w->ctx, m->keys, m->scratch, m->n, m->layout.bits, NULL);
    double sorted = bench_now();
    if (status == RUG_OK)
        status =
            rugi_scan_u64(w->ctx, &counts, m->keys, m->n, m->layout.bits, 3, asked, NULL);
    double ended = bench_now();
    if (status != RUG_OK)
        return status;
    take_counts(m, &counts);
    seconds[WHOLE] = ended - began;
    seconds[KEYS] = keyed - began;
    seconds[SORT] = sorted - keyed;
    seconds[SCAN] = ended - sorted;
    return RUG_OK;
}

static rug_status run_on_device(way *w, bench_model *m, double seconds[N_STAGES])
{
    rugi_hou_stages stages = {0};
    rugi_hou_call call = {m->got, &m->packed.cells, &m->layout};
    double began = bench_now();
    rug_status status = rugi_boxcount_hou_on_device(w->ctx, &call, w->shape, &stages);
    seconds[WHOLE] = bench_now() - began;
    seconds[KEYS] = stages.keys;
    seconds[SORT] = stages.sort;
    seconds[SCAN] = stages.scan;
    seconds[UPLOAD] = stages.upload;
    seconds[DOWNLOAD] = stages.download;
    return status;
}

static rug_boxcount_options call_options(rug_boxcount_method method)
{
    rug_boxcount_options o = RUG_BOXCOUNT_OPTIONS_INIT;
    o.foreground.kind = RUG_FOREGROUND_NONZERO;
    o.method = method;
    return o;
}

/* The public call, which packs the cells too, and takes a bitmap of keys where that is
 * faster than to sort. */
static rug_status run_call(way *w, bench_model *m, double seconds[N_STAGES])
{
    rug_boxcount_options o = call_options(RUG_BOXCOUNT_HOU);
    rug_boxcount_free(m->got);
    double began = bench_now();
    rug_status status = rug_boxcount(w->ctx, &m->got, &m->volume, &o);
    seconds[WHOLE] = bench_now() - began;
    return status;
}

static void check_counts(const way *w, const bench_model *m)
{
    const rug_boxcount_result *a = m->got, *b = m->expected;
    for (uint32_t i = 0; i < b->facts.n_sizes; i++)
        if (a->counts[i].nonempty != b->counts[i].nonempty ||
            a->counts[i].black != b->counts[i].black) {
            fprintf(stderr,
                    "%s, %s: %llu boxes of size %llu, %llu of them black; %llu and %llu "
                    "by the pyramid\n",
                    m->name, w->name, (unsigned long long)a->counts[i].nonempty,
                    (unsigned long long)b->counts[i].size,
                    (unsigned long long)a->counts[i].black,
                    (unsigned long long)b->counts[i].nonempty,
                    (unsigned long long)b->counts[i].black);
            bench_fail("ways to count disagree");
        }
}

static void time_way(way *w, bench_model *m)
{
    double seconds[N_STAGES] = {0};
    for (uint32_t i = 0; i < m->got->facts.n_sizes; i++)
        m->got->counts[i].nonempty = m->got->counts[i].black = 0;
    rug_status status = w->is_device ? run_on_device(w, m, seconds)
                        : w->is_call ? run_call(w, m, seconds)
                                     : run_here(w, m, seconds);
    if (status != RUG_OK)
        bench_fail(rug_context_error(w->ctx));
    check_counts(w, m);
    for (int k = 0; k < N_STAGES; k++)
        w->best[k] = seconds[k] < w->best[k] ? seconds[k] : w->best[k];
}

/* Each stage against that of one thread; the ways there and back against all of it. */
static void print_rows(const bench_model *m, const way *w, const way *reference)
{
    char name[2 * BENCH_NAME + 40];
    for (int k = 0; k < N_STAGES; k++) {
        int has_own = reference->best[k] > 0;
        if (w->best[k] <= 0)
            continue;
        snprintf(name, sizeof name, "%.159s, %.159s, %s", m->name, w->name,
                 stage_names[k]);
        bench_row(name, w->best[k], has_own ? "1 thread" : "1 thread, whole",
                  reference->best[has_own ? k : WHOLE], 0);
    }
    if (w->best[SORT] > 0) {
        snprintf(name, sizeof name, "%.159s, %.159s, sorting rate", m->name, w->name);
        bench_rate_row(name, (double)m->n / 1e6 / w->best[SORT], "M keys/s", "1 thread",
                       (double)m->n / 1e6 / reference->best[SORT], 0);
    }
}

static void time_ways(way *ways, size_t n_ways, bench_model *m, int n_runs)
{
    if (rugi_boxcount_copy(ways[0].ctx, &m->got, m->expected) != RUG_OK)
        bench_fail(rug_context_error(ways[0].ctx));
    for (size_t i = 0; i < n_ways; i++) {
        time_way(&ways[i], m); /* programs are built, caches and clocks warm */
        for (int k = 0; k < N_STAGES; k++)
            ways[i].best[k] = 1e30;
    }
    for (int r = 0; r < n_runs; r++)
        for (size_t i = 0; i < n_ways; i++)
            time_way(&ways[i], m);
    for (size_t i = 0; i < n_ways; i++)
        print_rows(m, &ways[i], &ways[0]);
    rug_boxcount_free(m->got);
}

static void study(way *ways, size_t n_ways, const char *name, const rug_image *volume,
                  const request *asked)
{
    static bench_model m;
    rug_context *ctx = ways[0].ctx;
    rug_boxcount_options o = call_options(RUG_BOXCOUNT_PYRAMID);
    bench_model_make(&m, ctx, name, volume);
    if (rug_boxcount(ctx, &m.expected, &m.volume, &o) != RUG_OK)
        bench_fail(rug_context_error(ctx));
    printf("# %s: %zu cells, keys of %u bits\n", m.name, m.n, m.layout.bits);
    bench_print_dimensions(&m, ctx);
    if (asked->is_load)
        bench_print_load(&m, ctx, asked->n_runs);
    else
        time_ways(ways, n_ways, &m, asked->n_runs);
    rug_boxcount_free(m.expected);
    bench_model_free(&m, ctx);
}

static rug_context *new_context(const char *device, int n_threads)
{
    rug_context *ctx;
    if (rug_context_new(&ctx) != RUG_OK)
        bench_fail("no context");
    if (rug_context_set_device(ctx, device) != RUG_OK ||
        rug_context_set_threads(ctx, n_threads) != RUG_OK)
        bench_fail(rug_context_error(ctx));
    return ctx;
}

static size_t add_shapes(way *ways, size_t n, const char *device, const char *what)
{
    static const char *const names[] = {"shape of a GPU", "shape of a processor"};
    static const rugi_ocl_shape shapes[] = {RUGI_OCL_SHAPE_WIDE, RUGI_OCL_SHAPE_CHUNKS};
    for (int i = 0; i < 2; i++, n++) {
        ways[n] =
            (way){.ctx = new_context(device, 0), .is_device = 1, .shape = shapes[i]};
        snprintf(ways[n].name, sizeof ways[n].name, "OpenCL %s, %s", what, names[i]);
    }
    return n;
}

/* The first device of a type, or a line that says that there is none. */
static size_t add_type(way *ways, size_t n, const rug_devices *devices,
                       rug_device_type type)
{
    char number[32];
    for (size_t i = 0; i < rug_devices_count(devices); i++) {
        const rug_device *d = rug_devices_at(devices, i);
        if (d->type != type || !d->is_usable)
            continue;
        snprintf(number, sizeof number, "opencl:%zu", i);
        printf("# OpenCL %s: %s, driver %s\n", rug_device_type_name(type), d->name,
               d->driver);
        return add_shapes(ways, n, number, rug_device_type_name(type));
    }
    printf("# OpenCL %s: left out, there is none\n", rug_device_type_name(type));
    return n;
}

static size_t make_ways(way *ways, const request *asked)
{
    size_t n = 0;
    rug_devices *devices;
    ways[n++] = (way){.name = "1 thread", .ctx = new_context("cpu", 1)};
    if (asked->is_load)
        return n;
    ways[n] = (way){.ctx = new_context("cpu", 0)};
    snprintf(ways[n].name, sizeof ways[n].name, "%d threads",
             rug_context_threads(ways[n].ctx));
    n++;
    ways[n] = (way){.ctx = new_context("cpu", 0), .is_call = 1};
    snprintf(ways[n].name, sizeof ways[n].name, "%d threads, rug_boxcount()",
             rug_context_threads(ways[n].ctx));
    n++;
    if (asked->device != NULL)
        return add_shapes(ways, n, asked->device, asked->device);
    if (rug_devices_list(ways[0].ctx, &devices) != RUG_OK)
        bench_fail(rug_context_error(ways[0].ctx));
    n = add_type(ways, n, devices, RUG_DEVICE_CPU);
    n = add_type(ways, n, devices, RUG_DEVICE_GPU);
    rug_devices_free(devices);
    return n;
}

/* @param name  of the row; NULL: the file's. A file that cannot be read is left out, a mesh fails. */
static void study_file(way *ways, size_t n_ways, const char *path, const char *name,
                       const rug_read_options *opts, const request *asked)
{
    char own[BENCH_NAME];
    rug_file *file = NULL;
    bench_model_name(own, path);
    if (name == NULL)
        name = own;
    if (rug_file_read(ways[0].ctx, &file, path, opts) != RUG_OK) {
        if (opts != NULL)
            bench_fail(rug_context_error(ways[0].ctx));
        printf("# %s is left out: %s\n", name, rug_context_error(ways[0].ctx));
        return;
    }
    const rug_image *img = rug_file_image(file);
    if (img->ndim != 3 || rug_dtype_size(img->dtype) > 1)
        printf("# %s is left out: a volume of bytes is expected\n", name);
    else
        study(ways, n_ways, name, img, asked);
    rug_file_free(file);
}

static void study_mesh(way *ways, size_t n_ways, const char *path, const request *asked)
{
    char base[BENCH_NAME], name[BENCH_NAME + 40];
    bench_model_name(base, path);
    for (int k = 0; k < 2 * asked->n_sides; k++) {
        rug_read_options opts = RUG_READ_OPTIONS_INIT;
        opts.resolution = asked->sides[k % asked->n_sides];
        opts.solid = k < asked->n_sides;
        snprintf(name, sizeof name, "%.100s_%s_%zu", base,
                 opts.solid ? "solid" : "surface", (size_t)opts.resolution);
        study_file(ways, n_ways, path, name, &opts, asked);
    }
}

static int is_mesh(const char *path)
{
    const char *ending = strrchr(path, '.');
    return ending != NULL && (strcmp(ending, ".ply") == 0 ||
                              strcmp(ending, ".stl") == 0 || strcmp(ending, ".obj") == 0);
}

static void study_path(way *ways, size_t n_ways, const char *path, const request *asked)
{
    static const char *const models[] = {"bunny_solid", "bunny_surface", "dragon_solid",
                                         "dragon_surface"};
    char file[1024];
    struct stat s;
    if (is_mesh(path)) {
        study_mesh(ways, n_ways, path, asked);
        return;
    }
    if (stat(path, &s) != 0 || !S_ISDIR(s.st_mode)) {
        study_file(ways, n_ways, path, NULL, NULL, asked);
        return;
    }
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++)
        for (int side = 128; side <= 512; side *= 2) {
            snprintf(file, sizeof file, "%s/%s_%d.nii.gz", path, models[i], side);
            study_file(ways, n_ways, file, NULL, NULL, asked);
        }
}

/* Sides such as 64,100. @return 0: they are not numbers in range, or too many */
static int take_sides(request *asked, const char *text)
{
    char *end;
    asked->n_sides = 0;
    do {
        unsigned long side = strtoul(text, &end, 10);
        if (*text < '0' || *text > '9' || side < 3 || side > MOST_SIDE ||
            asked->n_sides == MOST_SIDES)
            return 0;
        asked->sides[asked->n_sides++] = side;
        text = end + 1;
    } while (*end == ',');
    return *end == '\0';
}

static int take_options(request *asked, int argc, char **argv)
{
    int option;
    while ((option = getopt(argc, argv, "r:d:s:l")) != -1) {
        if (option == 'r')
            asked->n_runs = atoi(optarg);
        else if (option == 'd')
            asked->device = optarg;
        else if (option == 'l')
            asked->is_load = 1;
        else if (option != 's' || !take_sides(asked, optarg))
            return 0;
    }
    return asked->n_runs >= 1 && !(asked->is_load && asked->device != NULL);
}

int main(int argc, char **argv)
{
    static way ways[MOST_WAYS];
    request asked = {.n_runs = 3, .sides = {128, 256, 512}, .n_sides = 3};
    if (!take_options(&asked, argc, argv)) {
        fprintf(stderr,
                "usage: bench_hou_study [-r RUNS] [-d DEVICE | -l] [-s SIDE,...] "
                "[FOLDER | VOLUME | MESH]...\n"
                "SIDE is 3 to %d; -l is of one thread alone\n",
                MOST_SIDE);
        return 2;
    }
    size_t n_ways = make_ways(ways, &asked);
    bench_header();
    rug_image sponge = bench_menger(ways[0].ctx);
    study(ways, n_ways, "menger_243", &sponge, &asked);
    if (optind == argc)
        printf("# bunny and dragon are left out: no meshes, volumes or folder given\n");
    for (int i = optind; i < argc; i++)
        study_path(ways, n_ways, argv[i], &asked);
    for (size_t i = 0; i < n_ways; i++)
        rug_context_free(ways[i].ctx);
    return 0;
}
