/* What every part of ec_file shares.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef EC_FILE_H
#define EC_FILE_H

#include "../common/program.h"

/* Exit statuses, and the results of most functions here. */
enum status {
    STATUS_OK = 0,
    STATUS_DAMAGE = 1, /* damage was found (verify), or there is too much of it (repair, decode) */
    STATUS_ERROR = 2   /* wrong use, or the system refused something */
};

#endif
