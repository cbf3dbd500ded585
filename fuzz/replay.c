/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Runs a fuzz target on files and on the files of folders, without a fuzzer: the corpus
 * as a test of every build. Each input is also run cut off at half, and with a byte
 * inverted. A small file that makes some library reserve gigabytes is a fault too. */

#include "fuzz_file.h"
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#define INPUT_MAX (1 << 20)
#define GIB_MAX   3.0 /* of address space that all inputs together may take */

static void run_bytes(const unsigned char *bytes, size_t n)
{
    unsigned char *copy = malloc(n + 1); /* of the exact size, for the address checker */
    if (copy == NULL)
        abort();
    memcpy(copy, bytes, n);
    LLVMFuzzerTestOneInput(copy, n);
    LLVMFuzzerTestOneInput(copy, n / 2);
    for (size_t i = 0; i < n; i += 1 + n / 32) {
        copy[i] ^= 0xff;
        LLVMFuzzerTestOneInput(copy, n);
        copy[i] ^= 0xff;
    }
    free(copy);
}

static int run_file(const char *path)
{
    static unsigned char bytes[INPUT_MAX];
    FILE *in = fopen(path, "rb");
    if (in == NULL)
        return 0;
    size_t n = fread(bytes, 1, sizeof bytes, in);
    int failed = ferror(in);
    fclose(in);
    if (!failed)
        run_bytes(bytes, n);
    return !failed;
}

static int run_folder(const char *path)
{
    char name[4096];
    int n_files = 0;
    DIR *folder = opendir(path);
    if (folder == NULL)
        return run_file(path);
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.')
            n_files += run_file(name);
    }
    closedir(folder);
    return n_files;
}

/* A line of /proc/self/status such as "VmPeak:", in GiB; 0 where there is none. */
static double address_space(const char *line)
{
    char text[256];
    double kib = 0;
    FILE *in = fopen("/proc/self/status", "r");
    while (in != NULL && fgets(text, sizeof text, in) != NULL)
        if (strncmp(text, line, strlen(line)) == 0)
            kib = strtod(text + strlen(line), NULL);
    if (in != NULL)
        fclose(in);
    return kib / (1 << 20);
}

int main(int argc, char **argv)
{
    double at_start = address_space("VmSize:");
    for (int i = 1; i < argc; i++) {
        int n_files = run_folder(argv[i]);
        printf("%s: %d inputs\n", argv[i], n_files);
        if (n_files == 0)
            return 1;
    }
    double taken = address_space("VmPeak:") - at_start;
    printf("%.1f GiB of address space were taken, at most %.1f expected\n", taken,
           GIB_MAX);
    return argc < 2 ? 2 : taken > GIB_MAX;
}
