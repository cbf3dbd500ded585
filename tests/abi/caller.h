/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A caller of the libraries that uses every struct with a struct_size in every call that takes or fills
 * one: what the calls have in common (caller.c), and the calls (caller_*.c). It reads members by their
 * names, from the headers that it was compiled with, so that one source serves headers of any version. */

#ifndef TESTS_CALLER_H
#define TESTS_CALLER_H

#include <rugose/io.h>
#include <rugose/rugose.h>
#include <stddef.h>
#include <stdint.h>

/** What a struct is to a call. */
typedef enum caller_role {
    CALLER_OPTIONS, /**< its defaults are what NULL means */
    CALLER_VALUE,   /**< options without defaults: a source, a range */
    CALLER_RESULT   /**< filled by the call */
} caller_role;

/** One call and one struct that it takes or fills. */
typedef struct caller_use {
    caller_role role;
    const char *call, *type;
    /** Makes the call with this struct and says what came of it. With is_broken another argument is
     *  wrong. */
    rug_status (*run)(void *given, int is_broken);
    /** Options: sets every member with PUT(). Values: what is in them. Results: NULL */
    void (*set)(void);
    /** Members of a result that differ from run to run. */
    const char *differs;
} caller_use;

extern const caller_use caller_core[], caller_boxes[], caller_textures[], caller_masses[],
    caller_rest[];

/** What calls are made with. */
extern rug_context *ctx;
extern rug_image image;       /* 64 x 64 u8, all grey levels */
extern rug_image mask;        /* 64 x 64 u8, 1 in the upper half */
extern rug_image labels;      /* 64 x 64 u8, 1 and 2 */
extern rug_points points;     /* 64 x 2 i32 */
extern const char *file_path; /* an image */
extern rug_source image_source, mask_source, labels_source;

/** Adds to the line about the running call. */
void say(const char *format, ...) RUG_PRINTF(1, 2);

/** Sets a member of the struct at hand, where these headers and the present aim have it. */
#define PUT(member, c_type, value) put(#member, &(c_type){value}, sizeof(c_type))
void put(const char *member, const void *value, size_t size);

/** Ends the caller when a call that must work does not. */
void must(rug_status status, const char *what);

/** What is in a source of the image, and of the labels. */
void set_source(void);
void set_labels(void);

/** 1, 2, 4. */
extern const uint64_t three_sizes[3];

#endif
