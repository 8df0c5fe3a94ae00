/* Control and introspection over a list of kernel families: what both libraries offer as public
 * functions, each over its own list.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef ISALK_INTROSPECT_H
#define ISALK_INTROSPECT_H

#include "kernel.h"

ISALK_HIDDEN_BEGIN

/* Caps the tier and chooses the kernels of these families anew; -1 for an unknown tier. */
int isalk_set_isa_limit(const struct family *const *families, const char *isa);

/* Kernel number index over all families, and by name; NULL if there is none. */
const struct kernel *isalk_kernel_at(const struct family *const *families, size_t index);
const struct kernel *isalk_kernel_named(const struct family *const *families, const char *name);

/* Name of the highest tier of the variants in force: no kernel runs code of a higher one, and one
 * at least runs code of this one. */
const char *isalk_isa(const struct family *const *families);

/* The variant that runs. */
const struct variant *isalk_variant_in_force(const struct kernel *kernel);

/* Names of the variant that runs and of variant number index; NULL for NULL or past the last. */
const char *isalk_kernel_runs(const struct kernel *kernel);
const char *isalk_variant_name(const struct kernel *kernel, size_t index, int *usable);

const char *isalk_cpu_feature_at(size_t index, int *present);

ISALK_HIDDEN_END

#endif
