/* RAID parity: the public functions of isa-l/raid.h.
 * SPDX-License-Identifier: BSD-3-Clause */

#define ISAL_DEPRECATED_INTERNAL
#include "isa-l/raid.h"

#include "raid_kernels.h"
