/* isal-info --self-test.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef ISAL_INFO_H
#define ISAL_INFO_H

/* Tests known answers with each tier as the cap, and prints the results. Returns the exit
 * status. */
int self_test_tiers(void);

#endif
