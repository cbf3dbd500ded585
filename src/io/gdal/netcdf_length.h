/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* How long a NetCDF file must be. */

#ifndef RUGI_NETCDF_LENGTH_H
#define RUGI_NETCDF_LENGTH_H

#include <stdint.h>
#include <stdio.h>

/** The bytes that the head of a classic file (versions 1, 2 and 5) promises.
 *  @param in  at its beginning
 *  @return UINT64_MAX: the head is cut off, or none */
uint64_t rugi_netcdf_length(FILE *in);

#endif
