/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Runs every command on small random images, with options chosen at random:
 *
 *     soak [--seed S] [--images N] PROGRAM WORK
 *
 * The images lie in WORK/in, in batches that one process works on; what is written goes to WORK/out. A
 * run must end with status 0, 1 or 2, soon, and without the report of a sanitizer; any other is shown,
 * and its files stay. The same seed makes the same files and runs. Meant for a build with sanitizers. */

#define _GNU_SOURCE
#include "soak_images.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define BATCH     100 /* images of a run */
#define PLAIN     12  /* of them two-dimensional ones that textures are learned from */
#define WORDS_MAX 64
#define SECONDS   300 /* that a run may take */

/* A command with its options: after each ';' one of those between '|' is taken. */
static const char *const commands[] = {
    "boxcount --list LIST;|--foreground nonzero|--foreground otsu|--foreground otsu-dark"
    "|--foreground above=1|--foreground below=2.5;|--grid min|--grid mean"
    "|--method pyramid|--method window|--method hou|--method atomic|--method local;"
    "|--fit auto|--fit 1..4;|--of black|--of gray|--of white;|--sizes 1,2,3,7"
    "|--sizes 1..9:2;|--counts out/counts.csv;",
    "boxcount --gray --list in/list.csv;|--levels 2|--levels 1000;|--anchor min;"
    "|--sizes 2,3,8;|--counts -;",
    "boxcount --points POINTS;|--spacing 0.7|--resolution 16|--resolution 4096;"
    "|--fit auto;",
    "multifractal --list MASKED;|--q -3..3:1|--q 0,1,2|--q 1;"
    "|--foreground nonzero|--foreground above=1;|--fit auto|--fit 1..8;"
    "|--moments out/m.csv;|--summary out/s.csv;",
    "multifractal --method alpha --list MASKED;|--measure max|--measure min|--measure iso;"
    "|--windows 2|--windows 6;|--slices 1|--slices 50;|--map out/a-{}.tif;"
    "|--alpha-range 1..3;",
    "multifractal --points POINTS;|--spacing 1.5|--resolution 64;|--q 0,2;",
    "lacunarity --list LIST;|--gray|--foreground nonzero|--foreground below=3;"
    "|--boxes fixed;|--sizes 1,2,5|--sizes 3..30:3;",
    "haralick --list LIST;|--levels 2|--levels 8|--levels 200|--levels exact"
    "|--bin-width 0.5;|--distances 1,3|--distances 40;|--angles 0,90;|--asymmetric;"
    "|--pairs frame;|--range 0..10|--range image;|--aggregate none|--aggregate range"
    "|--aggregate merged;|--features 13|--features all|--features contrast;"
    "|--slices mean|--slices merged;|--log e;|--names ibsi;",
    "haralick --list MASKED --levels 8;--window 3|--window 7;--map out/h-{}.tif;"
    "|--features contrast,entropy|--features all;",
    "lbp --list LIST;|--points 4|--points 16|--points 24|--lbp 8,1;"
    "|--radius 2.5|--radius 20;|--method default|--method ror|--method nri_uniform"
    "|--method var --cuts 1,5,50;|--interpolation nearest;|--border skip;"
    "|--exact decimal|--exact float;|--normalize;|--planes all|--planes xz;",
    "lbp --list MASKED --map out/c-{}.tif;|--method default|--method nri_uniform;"
    "|--border skip;",
    "train --list in/classes.csv --model out/model.json;|--points 4|--lbp 8,1 --lbp 16,2;"
    "|--method default|--var-bins 4;|--border skip;|--exact decimal;",
    "classify --list in/classes.csv --model out/model.json;|--score chi2|--score g;"
    "|--nearest;|--confusion out/confusion.csv;",
    "compress --list in/list.csv -o out/z-{}.rfi;|--quality 1|--quality 100|--psnr 30"
    "|--bpp 1;|--effort 1|--effort 9;|--tune psnr;|--chroma 420;|--chroma-quality 9;"
    "|--progressive;|--tile 256;",
    "compress --list in/list.csv -o out/z-{}.rfi --lossless;|--tile 256;",
    "compress --list in/list.csv -o out/z-{}.rfi --stream-version 1;|--quality 1|--bpp 1;"
    "|--partition fixed|--partition overlap;|--range-size 4;|--residual off;"
    "|--domain-step 1;|--search exhaustive;|--scale-max 0.5;",
    "decompress --list STREAMS -o out/d-{}.png;|--scale 2|--scale 0.25|--size 17x9;"
    "|--iterations 1|--iterations 9;|--crop 3,2,5,4;|--partial;",
    "upscale --list in/list.csv -o out/u-{}.pnm;|--scale 4;",
    "compare IMAGE IMAGE;|--peak 10;",
    "compare IMAGE STREAM;",
    "info --list in/list.csv;|--range;",
};

#define N_COMMANDS (sizeof commands / sizeof *commands)

typedef struct job {
    soak_random random;
    const char *program;
    unsigned long n_images, n_runs, n_bad, ended[3];
    char names[BATCH][32]; /* of images */
    char words[4096];      /* of the run */
    char *arguments[WORDS_MAX + 1];
} job;

static void die(const char *what)
{
    fprintf(stderr, "soak: %s: %s\n", what, strerror(errno));
    exit(2);
}

static void clear(const char *folder)
{
    DIR *d = opendir(folder);
    if (d == NULL)
        die(folder);
    for (struct dirent *e = readdir(d); e != NULL; e = readdir(d))
        if (e->d_name[0] != '.' || strlen(e->d_name) > 2)
            unlinkat(dirfd(d), e->d_name, 0);
    closedir(d);
}

/* ---- A batch ---- */

static FILE *begin_list(const char *path, const char *head)
{
    FILE *out = fopen(path, "w");
    if (out == NULL)
        die(path);
    fputs(head, out);
    return out;
}

static void make_one(job *j, unsigned i)
{
    char path[64];
    soak_shape shape = soak_draw_shape(&j->random);
    int is_plain = i < PLAIN;
    while (is_plain && (shape.ndim != 2 || shape.sizes[0] < 9 || shape.sizes[1] < 9))
        shape = soak_draw_shape(&j->random);
    int is_pnm = shape.ndim == 2 && soak_draw(&j->random, 4) == 0;
    snprintf(j->names[i], sizeof j->names[i], "%u.%s", i,
             is_pnm && !is_plain ? "pnm" : "npy");
    snprintf(path, sizeof path, "in/%s", j->names[i]);
    if (is_plain)
        soak_write_levels(&j->random, path, &shape, 256);
    else if (is_pnm)
        soak_write_pnm(&j->random, path, &shape);
    else
        soak_write_image(&j->random, path, &shape);
    snprintf(path, sizeof path, "in/m%u.npy", i);
    soak_write_levels(&j->random, path, &shape, 2);
    snprintf(path, sizeof path, "in/l%u.npy", i);
    soak_write_levels(&j->random, path, &shape, 5);
}

static void make_batch(job *j)
{
    clear("in");
    clear("out");
    FILE *list = begin_list("in/list.csv", "image\n");
    FILE *masked = begin_list("in/masked.csv", "image,mask\n");
    FILE *labelled = begin_list("in/labelled.csv", "image,labels\n");
    FILE *classes = begin_list("in/classes.csv", "image,class\n");
    for (unsigned i = 0; i < BATCH; i++) {
        char path[64];
        make_one(j, i);
        fprintf(list, "%s\n", j->names[i]);
        fprintf(masked, "%s,m%u.npy\n", j->names[i], i);
        fprintf(labelled, "%s,l%u.npy\n", j->names[i], i);
        if (i < PLAIN)
            fprintf(classes, "%s,%s\n", j->names[i], i % 3 == 0 ? "one" : "other");
        snprintf(path, sizeof path, "in/p%u.csv", i % 20);
        if (i < 20)
            soak_write_points(&j->random, path);
    }
    fclose(list);
    fclose(masked);
    fclose(labelled);
    fclose(classes);
}

/* ---- Runs ---- */

static void add(job *j, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(job *j, const char *format, ...)
{
    size_t n = strlen(j->words);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(j->words + n, sizeof j->words - n, format, arguments);
    va_end(arguments);
}

/* The streams that were written, as a list. */
static const char *list_streams(void)
{
    FILE *list = begin_list("out/streams.csv", "image\n");
    DIR *d = opendir("out");
    for (struct dirent *e = readdir(d); e != NULL; e = readdir(d))
        if (strstr(e->d_name, ".rfi") != NULL)
            fprintf(list, "%s\n", e->d_name);
    closedir(d);
    fclose(list);
    return "out/streams.csv";
}

/* Adds a word, or what stands for it. */
static void add_word(job *j, const char *word, size_t n)
{
    static const char *const lists[] = {"in/list.csv", "in/masked.csv",
                                        "in/labelled.csv"};
    unsigned image = soak_draw(&j->random, BATCH);
    if (n == 4 && memcmp(word, "LIST", n) == 0)
        add(j, " %s", lists[soak_draw(&j->random, 3)]);
    else if (n == 6 && memcmp(word, "MASKED", n) == 0)
        add(j, " %s", lists[soak_draw(&j->random, 2)]);
    else if (n == 5 && memcmp(word, "IMAGE", n) == 0)
        add(j, " in/%s", j->names[image]);
    else if (n == 6 && memcmp(word, "STREAM", n) == 0)
        add(j, " out/z-%u.rfi", image);
    else if (n == 7 && memcmp(word, "STREAMS", n) == 0)
        add(j, " %s", list_streams());
    else if (n == 6 && memcmp(word, "POINTS", n) == 0)
        for (unsigned i = 0; i < 20; i++)
            add(j, " in/p%u.csv", i);
    else
        add(j, " %.*s", (int)n, word);
}

static void add_words(job *j, const char *text, size_t n)
{
    for (size_t at = 0; at < n;) {
        size_t length = strcspn(text + at, " |;");
        if (length > 0)
            add_word(j, text + at, length);
        at += length + 1;
    }
}

/* Of the choices up to a ';' one. @return what follows it */
static const char *add_choice(job *j, const char *text)
{
    const char *end = strchrnul(text, ';');
    unsigned n = 1;
    for (const char *at = text; at < end; at++)
        n += *at == '|';
    unsigned chosen = soak_draw(&j->random, n);
    for (; chosen > 0; chosen--)
        text = strchr(text, '|') + 1;
    size_t length = strcspn(text, "|;");
    add_words(j, text, length);
    return *end == ';' ? end + 1 : end;
}

/* Chooses the words of a run. */
static void choose(job *j, const char *command)
{
    static const char *const forms[] = {"", " -f csv", " -f json -q", " -v"};
    j->words[0] = '\0';
    while (*command != '\0')
        command = add_choice(j, command);
    add(j, "%s --threads %u", forms[soak_draw(&j->random, 4)],
        1 + soak_draw(&j->random, 3));
}

static void start(job *j)
{
    static char words[sizeof j->words];
    int out = open("stdout", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    int err = open("stderr", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    int in = open("/dev/null", O_RDONLY);
    int n = 0;
    snprintf(words, sizeof words, "%s", j->words);
    j->arguments[n++] = (char *)(size_t)j->program;
    for (char *w = strtok(words, " "); w != NULL && n < WORDS_MAX; w = strtok(NULL, " "))
        j->arguments[n++] = w;
    j->arguments[n] = NULL;
    alarm(SECONDS); /* lives on in the program, which it ends */
    if (dup2(in, 0) == 0 && dup2(out, 1) == 1 && dup2(err, 2) == 2)
        execv(j->program, j->arguments);
    _exit(98);
}

/* Whether a sanitizer has said something. */
static int has_report(void)
{
    char line[4096];
    int found = 0;
    FILE *in = fopen("stderr", "r");
    while (in != NULL && !found && fgets(line, sizeof line, in) != NULL)
        found =
            strstr(line, "Sanitizer") != NULL || strstr(line, "runtime error") != NULL;
    if (in != NULL)
        fclose(in);
    return found;
}

static void show_stderr(void)
{
    char line[4096];
    FILE *in = fopen("stderr", "r");
    for (int i = 0; in != NULL && i < 4000 && fgets(line, sizeof line, in) != NULL; i++)
        if (strncmp(line, "read ", 5) != 0 && strncmp(line, "mask ", 5) != 0 &&
            strncmp(line, "rugose: ", 8) != 0)
            fputs(line, stdout);
    if (in != NULL)
        fclose(in);
}

static void run(job *j)
{
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        start(j);
    if (child < 0 || waitpid(child, &status, 0) != child)
        die("fork");
    j->n_runs++;
    if (WIFEXITED(status) && WEXITSTATUS(status) <= 2 && !has_report()) {
        j->ended[WEXITSTATUS(status)]++;
        return;
    }
    j->n_bad++;
    printf("%s %d:%s\n", WIFEXITED(status) ? "status" : "signal",
           WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status), j->words);
    show_stderr();
}

/* One batch by all commands. */
static void do_batch(job *j, unsigned long i)
{
    char name[64];
    unsigned long n_before = j->n_bad;
    make_batch(j);
    for (size_t c = 0; c < N_COMMANDS; c++) {
        choose(j, commands[c]);
        run(j);
    }
    snprintf(name, sizeof name, "bad-%lu", i);
    if (j->n_bad > n_before && rename("in", name) == 0)
        mkdir("in", 0777);
}

int main(int argc, char **argv)
{
    static job j;
    unsigned long seed = 1;
    char program[PATH_MAX];
    int at = 1;
    j.n_images = BATCH;
    for (; at + 1 < argc && strncmp(argv[at], "--", 2) == 0; at += 2)
        *(strcmp(argv[at], "--seed") == 0 ? &seed : &j.n_images) =
            strtoul(argv[at + 1], NULL, 10);
    if (argc != at + 2 || realpath(argv[at], program) == NULL) {
        fputs("usage: soak [--seed S] [--images N] PROGRAM WORK\n", stderr);
        return 2;
    }
    j.program = program;
    j.random.state = seed;
    mkdir(argv[at + 1], 0777);
    if (chdir(argv[at + 1]) != 0)
        die(argv[at + 1]);
    mkdir("in", 0777);
    mkdir("out", 0777);
    for (unsigned long i = 0; i * BATCH < j.n_images; i++)
        do_batch(&j, i);
    printf(
        "%lu images, %lu runs: %lu with status 0, %lu with 1, %lu with 2, %lu failures\n",
        (j.n_images + BATCH - 1) / BATCH * BATCH, j.n_runs, j.ended[0], j.ended[1],
        j.ended[2], j.n_bad);
    return j.n_bad > 0;
}
