/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A program whose kernels are run on a simulator: kernels_main.c opens the device. */

#ifndef RUGOSE_KERNELS_H
#define RUGOSE_KERNELS_H

#include "support.h"

/** Runs kernels on small inputs, and compares with the CPU; fails the test where they
 *  differ. Every program has its own. */
void run_kernels(rug_context *device);

#endif
