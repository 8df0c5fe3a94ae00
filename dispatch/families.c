/* The list of kernel families: a new family adds its line here.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "kernel.h"

ISALK_HIDDEN_BEGIN
extern const struct family isalk_erasure_code_family;
extern const struct family isalk_raid_family;
ISALK_HIDDEN_END

const struct family *const isalk_families[] = {
    &isalk_erasure_code_family,
    &isalk_raid_family,
};

const unsigned isalk_family_count = ARRAY_SIZE(isalk_families);
