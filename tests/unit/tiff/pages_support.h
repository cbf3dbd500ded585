/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reading pages and volumes of TIFF files in tests. Include it after
 * ../io/read_support.h and ../io/picture_support.h. */

#ifndef RUGOSE_PAGES_SUPPORT_H
#define RUGOSE_PAGES_SUPPORT_H

static inline rug_read_options options(int at, int volume, int channel, int level)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.page = at;
    opts.volume = volume;
    opts.channel = channel;
    opts.level = level;
    return opts;
}

static inline rug_file *read_with(const char *path, int at, int volume, int channel,
                                  int level)
{
    rug_read_options opts = options(at, volume, channel, level);
    return must_read(path, &opts);
}

static inline void fail_with(const char *path, rug_read_options opts, rug_status status,
                             const char *text)
{
    must_fail(path, &opts, status, text);
}

static const page small = {
    .width = 16, .height = 16, .photometric = PHOTOMETRIC_MINISBLACK};

#endif
