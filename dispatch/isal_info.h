/* A part of isal-info with a file of its own.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef ISAL_INFO_H
#define ISAL_INFO_H

/* Runs known answers with each tier as the cap, and prints the results. Returns the exit status. */
int self_test_tiers(void);

#endif
