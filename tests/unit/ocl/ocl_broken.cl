/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A kernel that no compiler takes: line 8 names what is not there. */

__kernel void broken(__global uint *out)
{
    out[0] = no_such_thing;
}
