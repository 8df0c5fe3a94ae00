/* The whole of libisal in one include.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef ISAL_H
#define ISAL_H

#include "isa-l/isal_api.h"
#include "isa-l/erasure_code.h"
#include "isa-l/gf_vect_mul.h"
#include "isa-l/raid.h"

#endif
