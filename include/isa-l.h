/* All headers of libisal in one include.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef ISAL_H
#define ISAL_H

#include "isa-l/isal_api.h"
#include "isa-l/crc.h"
#include "isa-l/crc64.h"
#include "isa-l/crc_model.h"
#include "isa-l/erasure_code.h"
#include "isa-l/gf_vect_mul.h"
#include "isa-l/igzip_lib.h"
#include "isa-l/mem_routines.h"
#include "isa-l/raid.h"
#include "isa-l/t10_pi.h"

#endif
