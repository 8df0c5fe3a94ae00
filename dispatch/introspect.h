/* Control and introspection over a list of kernel families: the bodies of both libraries' public
 * functions.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef ISALK_INTROSPECT_H
#define ISALK_INTROSPECT_H

#include "kernel.h"

ISALK_HIDDEN_BEGIN

/* Caps the tier and chooses the kernels of these families anew; -1 for an unknown tier. */
int isalk_set_isa_limit(const struct family *const *families, const char *isa);

/* The kernel with this number, counted over all families, or with this name; NULL if there is
 * none. */
const struct kernel *isalk_kernel_at(const struct family *const *families, size_t index);
const struct kernel *isalk_kernel_named(const struct family *const *families, const char *name);

/* Name of the highest tier among the variants in force. */
const char *isalk_isa(const struct family *const *families);

/* The variant in force, and its name; NULL for NULL. */
const struct variant *isalk_variant_in_force(const struct kernel *kernel);
const char *isalk_name_in_force(const struct kernel *kernel);

/* Name of variant number `index`; NULL for NULL and past the last. Sets *usable, unless NULL, to
 * whether this CPU can run it. */
const char *isalk_variant_name(const struct kernel *kernel, size_t index, int *usable);

/* Name of feature or trait number `index`; NULL past the last. Sets *present unless NULL. */
const char *isalk_cpu_feature_at(size_t index, int *present);

ISALK_HIDDEN_END

#endif
