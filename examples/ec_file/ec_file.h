/* Shared by the files of ec_file.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef EC_FILE_H
#define EC_FILE_H

#include "../common/program.h"

/* Exit statuses, and the results of most functions here. */
enum status {
    STATUS_OK = 0,
    STATUS_DAMAGE = 1, /* damage found (verify), or too much damage (repair, decode) */
    STATUS_ERROR = 2   /* invalid arguments, or an error of the system */
};

#endif
