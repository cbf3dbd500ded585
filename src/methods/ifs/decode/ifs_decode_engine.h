/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Devices that decode planes in place of the processor. */

#ifndef RUGI_IFS_DECODE_ENGINE_H
#define RUGI_IFS_DECODE_ENGINE_H

#include "ifs_decode.h"

/** The state of one plane on a device. */
typedef struct rugi_ifs_device_plane rugi_ifs_device_plane;

/** A device. All functions return RUG_OK, RUG_E_DEVICE, RUG_E_NOMEM or RUG_E_CANCELLED. */
typedef struct rugi_ifs_decode_engine {
    /** Takes over where the decoder or the blocks begin, which stay where they are.
     *  @param out  free it with end(), in all cases */
    rug_status (*begin_tree)(rug_context *ctx, rugi_ifs_device_plane **out,
                             const rugi_ifs_decoder *decoder);
    rug_status (*begin_blocks)(rug_context *ctx, rugi_ifs_device_plane **out,
                               const rugi_ifs_blocks *blocks, const int32_t *state);
    /** One iteration, as rugi_ifs_decoder_iterate() or rugi_ifs_blocks_pass(). */
    rug_status (*iterate)(rug_context *ctx, rugi_ifs_device_plane *plane);
    /** 2^octave times the coded size, without deblocking; the state stays.
     *  @param out  [ny << octave][nx << octave] */
    rug_status (*enlarge)(rug_context *ctx, rugi_ifs_device_plane *plane, int32_t *out,
                          unsigned octave);
    void (*end)(rug_context *ctx, rugi_ifs_device_plane *plane); /* NULL is allowed */
} rugi_ifs_decode_engine;

/** OpenCL, which is built where there are headers of it. */
extern const rugi_ifs_decode_engine rugi_ifs_decode_opencl;

#endif
