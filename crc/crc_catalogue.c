/* The catalogue of published CRCs.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Names, parameters and check values are those of Greg Cook's "Catalogue of parametrised CRC
 * algorithms", widths 3 to 64. tests/crc_model_test.c computes every check value. */

#include "isa-l/crc_model.h"

#include "dispatch/kernel.h"

/* name, width, refin, refout, poly, init, xorout, check */
static const struct isal_crc_params catalogue[] = {
    {"CRC-3/GSM", 3, 0, 0, 0x3, 0, 0x7, 0x4},
    {"CRC-3/ROHC", 3, 1, 1, 0x3, 0x7, 0, 0x6},
    {"CRC-4/G-704", 4, 1, 1, 0x3, 0, 0, 0x7},
    {"CRC-4/INTERLAKEN", 4, 0, 0, 0x3, 0xf, 0xf, 0xb},
    {"CRC-5/EPC-C1G2", 5, 0, 0, 0x09, 0x09, 0, 0},
    {"CRC-5/G-704", 5, 1, 1, 0x15, 0, 0, 0x07},
    {"CRC-5/USB", 5, 1, 1, 0x05, 0x1f, 0x1f, 0x19},
    {"CRC-6/CDMA2000-A", 6, 0, 0, 0x27, 0x3f, 0, 0x0d},
    {"CRC-6/CDMA2000-B", 6, 0, 0, 0x07, 0x3f, 0, 0x3b},
    {"CRC-6/DARC", 6, 1, 1, 0x19, 0, 0, 0x26},
    {"CRC-6/G-704", 6, 1, 1, 0x03, 0, 0, 0x06},
    {"CRC-6/GSM", 6, 0, 0, 0x2f, 0, 0x3f, 0x13},
    {"CRC-7/MMC", 7, 0, 0, 0x09, 0, 0, 0x75},
    {"CRC-7/ROHC", 7, 1, 1, 0x4f, 0x7f, 0, 0x53},
    {"CRC-7/UMTS", 7, 0, 0, 0x45, 0, 0, 0x61},
    {"CRC-8/AUTOSAR", 8, 0, 0, 0x2f, 0xff, 0xff, 0xdf},
    {"CRC-8/BLUETOOTH", 8, 1, 1, 0xa7, 0, 0, 0x26},
    {"CRC-8/CDMA2000", 8, 0, 0, 0x9b, 0xff, 0, 0xda},
    {"CRC-8/DARC", 8, 1, 1, 0x39, 0, 0, 0x15},
    {"CRC-8/DVB-S2", 8, 0, 0, 0xd5, 0, 0, 0xbc},
    {"CRC-8/GSM-A", 8, 0, 0, 0x1d, 0, 0, 0x37},
    {"CRC-8/GSM-B", 8, 0, 0, 0x49, 0, 0xff, 0x94},
    {"CRC-8/HITAG", 8, 0, 0, 0x1d, 0xff, 0, 0xb4},
    {"CRC-8/I-432-1", 8, 0, 0, 0x07, 0, 0x55, 0xa1},
    {"CRC-8/I-CODE", 8, 0, 0, 0x1d, 0xfd, 0, 0x7e},
    {"CRC-8/LTE", 8, 0, 0, 0x9b, 0, 0, 0xea},
    {"CRC-8/MAXIM-DOW", 8, 1, 1, 0x31, 0, 0, 0xa1},
    {"CRC-8/MIFARE-MAD", 8, 0, 0, 0x1d, 0xc7, 0, 0x99},
    {"CRC-8/NRSC-5", 8, 0, 0, 0x31, 0xff, 0, 0xf7},
    {"CRC-8/OPENSAFETY", 8, 0, 0, 0x2f, 0, 0, 0x3e},
    {"CRC-8/ROHC", 8, 1, 1, 0x07, 0xff, 0, 0xd0},
    {"CRC-8/SAE-J1850", 8, 0, 0, 0x1d, 0xff, 0xff, 0x4b},
    {"CRC-8/SMBUS", 8, 0, 0, 0x07, 0, 0, 0xf4},
    {"CRC-8/TECH-3250", 8, 1, 1, 0x1d, 0xff, 0, 0x97},
    {"CRC-8/WCDMA", 8, 1, 1, 0x9b, 0, 0, 0x25},
    {"CRC-10/ATM", 10, 0, 0, 0x233, 0, 0, 0x199},
    {"CRC-10/CDMA2000", 10, 0, 0, 0x3d9, 0x3ff, 0, 0x233},
    {"CRC-10/GSM", 10, 0, 0, 0x175, 0, 0x3ff, 0x12a},
    {"CRC-11/FLEXRAY", 11, 0, 0, 0x385, 0x01a, 0, 0x5a3},
    {"CRC-11/UMTS", 11, 0, 0, 0x307, 0, 0, 0x061},
    {"CRC-12/CDMA2000", 12, 0, 0, 0xf13, 0xfff, 0, 0xd4d},
    {"CRC-12/DECT", 12, 0, 0, 0x80f, 0, 0, 0xf5b},
    {"CRC-12/GSM", 12, 0, 0, 0xd31, 0, 0xfff, 0xb34},
    {"CRC-12/UMTS", 12, 0, 1, 0x80f, 0, 0, 0xdaf},
    {"CRC-13/BBC", 13, 0, 0, 0x1cf5, 0, 0, 0x04fa},
    {"CRC-14/DARC", 14, 1, 1, 0x0805, 0, 0, 0x082d},
    {"CRC-14/GSM", 14, 0, 0, 0x202d, 0, 0x3fff, 0x30ae},
    {"CRC-15/CAN", 15, 0, 0, 0x4599, 0, 0, 0x059e},
    {"CRC-15/MPT1327", 15, 0, 0, 0x6815, 0, 0x0001, 0x2566},
    {"CRC-16/ARC", 16, 1, 1, 0x8005, 0, 0, 0xbb3d},
    {"CRC-16/CDMA2000", 16, 0, 0, 0xc867, 0xffff, 0, 0x4c06},
    {"CRC-16/CMS", 16, 0, 0, 0x8005, 0xffff, 0, 0xaee7},
    {"CRC-16/DDS-110", 16, 0, 0, 0x8005, 0x800d, 0, 0x9ecf},
    {"CRC-16/DECT-R", 16, 0, 0, 0x0589, 0, 0x0001, 0x007e},
    {"CRC-16/DECT-X", 16, 0, 0, 0x0589, 0, 0, 0x007f},
    {"CRC-16/DNP", 16, 1, 1, 0x3d65, 0, 0xffff, 0xea82},
    {"CRC-16/EN-13757", 16, 0, 0, 0x3d65, 0, 0xffff, 0xc2b7},
    {"CRC-16/GENIBUS", 16, 0, 0, 0x1021, 0xffff, 0xffff, 0xd64e},
    {"CRC-16/GSM", 16, 0, 0, 0x1021, 0, 0xffff, 0xce3c},
    {"CRC-16/IBM-3740", 16, 0, 0, 0x1021, 0xffff, 0, 0x29b1},
    {"CRC-16/IBM-SDLC", 16, 1, 1, 0x1021, 0xffff, 0xffff, 0x906e},
    {"CRC-16/ISO-IEC-14443-3-A", 16, 1, 1, 0x1021, 0xc6c6, 0, 0xbf05},
    {"CRC-16/KERMIT", 16, 1, 1, 0x1021, 0, 0, 0x2189},
    {"CRC-16/LJ1200", 16, 0, 0, 0x6f63, 0, 0, 0xbdf4},
    {"CRC-16/M17", 16, 0, 0, 0x5935, 0xffff, 0, 0x772b},
    {"CRC-16/MAXIM-DOW", 16, 1, 1, 0x8005, 0, 0xffff, 0x44c2},
    {"CRC-16/MCRF4XX", 16, 1, 1, 0x1021, 0xffff, 0, 0x6f91},
    {"CRC-16/MODBUS", 16, 1, 1, 0x8005, 0xffff, 0, 0x4b37},
    {"CRC-16/NRSC-5", 16, 1, 1, 0x080b, 0xffff, 0, 0xa066},
    {"CRC-16/OPENSAFETY-A", 16, 0, 0, 0x5935, 0, 0, 0x5d38},
    {"CRC-16/OPENSAFETY-B", 16, 0, 0, 0x755b, 0, 0, 0x20fe},
    {"CRC-16/PROFIBUS", 16, 0, 0, 0x1dcf, 0xffff, 0xffff, 0xa819},
    {"CRC-16/RIELLO", 16, 1, 1, 0x1021, 0xb2aa, 0, 0x63d0},
    {"CRC-16/SPI-FUJITSU", 16, 0, 0, 0x1021, 0x1d0f, 0, 0xe5cc},
    {"CRC-16/T10-DIF", 16, 0, 0, 0x8bb7, 0, 0, 0xd0db},
    {"CRC-16/TELEDISK", 16, 0, 0, 0xa097, 0, 0, 0x0fb3},
    {"CRC-16/TMS37157", 16, 1, 1, 0x1021, 0x89ec, 0, 0x26b1},
    {"CRC-16/UMTS", 16, 0, 0, 0x8005, 0, 0, 0xfee8},
    {"CRC-16/USB", 16, 1, 1, 0x8005, 0xffff, 0xffff, 0xb4c8},
    {"CRC-16/XMODEM", 16, 0, 0, 0x1021, 0, 0, 0x31c3},
    {"CRC-17/CAN-FD", 17, 0, 0, 0x1685b, 0, 0, 0x04f03},
    {"CRC-21/CAN-FD", 21, 0, 0, 0x102899, 0, 0, 0x0ed841},
    {"CRC-24/BLE", 24, 1, 1, 0x00065b, 0x555555, 0, 0xc25a56},
    {"CRC-24/FLEXRAY-A", 24, 0, 0, 0x5d6dcb, 0xfedcba, 0, 0x7979bd},
    {"CRC-24/FLEXRAY-B", 24, 0, 0, 0x5d6dcb, 0xabcdef, 0, 0x1f23b8},
    {"CRC-24/INTERLAKEN", 24, 0, 0, 0x328b63, 0xffffff, 0xffffff, 0xb4f3e6},
    {"CRC-24/LTE-A", 24, 0, 0, 0x864cfb, 0, 0, 0xcde703},
    {"CRC-24/LTE-B", 24, 0, 0, 0x800063, 0, 0, 0x23ef52},
    {"CRC-24/OPENPGP", 24, 0, 0, 0x864cfb, 0xb704ce, 0, 0x21cf02},
    {"CRC-24/OS-9", 24, 0, 0, 0x800063, 0xffffff, 0xffffff, 0x200fa5},
    {"CRC-30/CDMA", 30, 0, 0, 0x2030b9c7, 0x3fffffff, 0x3fffffff, 0x04c34abf},
    {"CRC-31/PHILIPS", 31, 0, 0, 0x04c11db7, 0x7fffffff, 0x7fffffff, 0x0ce9e46c},
    {"CRC-32/AIXM", 32, 0, 0, 0x814141ab, 0, 0, 0x3010bf7f},
    {"CRC-32/AUTOSAR", 32, 1, 1, 0xf4acfb13, 0xffffffff, 0xffffffff, 0x1697d06a},
    {"CRC-32/BASE91-D", 32, 1, 1, 0xa833982b, 0xffffffff, 0xffffffff, 0x87315576},
    {"CRC-32/BZIP2", 32, 0, 0, 0x04c11db7, 0xffffffff, 0xffffffff, 0xfc891918},
    {"CRC-32/CD-ROM-EDC", 32, 1, 1, 0x8001801b, 0, 0, 0x6ec2edc4},
    {"CRC-32/CKSUM", 32, 0, 0, 0x04c11db7, 0, 0xffffffff, 0x765e7680},
    {"CRC-32/ISCSI", 32, 1, 1, 0x1edc6f41, 0xffffffff, 0xffffffff, 0xe3069283},
    {"CRC-32/ISO-HDLC", 32, 1, 1, 0x04c11db7, 0xffffffff, 0xffffffff, 0xcbf43926},
    {"CRC-32/JAMCRC", 32, 1, 1, 0x04c11db7, 0xffffffff, 0, 0x340bc6d9},
    {"CRC-32/MEF", 32, 1, 1, 0x741b8cd7, 0xffffffff, 0, 0xd2c22f51},
    {"CRC-32/MPEG-2", 32, 0, 0, 0x04c11db7, 0xffffffff, 0, 0x0376e6e7},
    {"CRC-32/XFER", 32, 0, 0, 0x000000af, 0, 0, 0xbd0be338},
    {"CRC-40/GSM", 40, 0, 0, 0x0004820009, 0, 0xffffffffff, 0xd4164fc646},
    {"CRC-64/ECMA-182", 64, 0, 0, 0x42f0e1eba9ea3693, 0, 0, 0x6c40df5f0b497347},
    {"CRC-64/GO-ISO", 64, 1, 1, 0x000000000000001b, 0xffffffffffffffff, 0xffffffffffffffff,
     0xb90956c775a41001},
    {"CRC-64/MS", 64, 1, 1, 0x259c84cba6426349, 0xffffffffffffffff, 0, 0x75d4b74f024eceea},
    {"CRC-64/NVME", 64, 1, 1, 0xad93d23594c93659, 0xffffffffffffffff, 0xffffffffffffffff,
     0xae8b14860a799888},
    {"CRC-64/REDIS", 64, 1, 1, 0xad93d23594c935a9, 0, 0, 0xe9c6d914c4b8d9ca},
    {"CRC-64/WE", 64, 0, 0, 0x42f0e1eba9ea3693, 0xffffffffffffffff, 0xffffffffffffffff,
     0x62ec59e3f1a4f00a},
    {"CRC-64/XZ", 64, 1, 1, 0x42f0e1eba9ea3693, 0xffffffffffffffff, 0xffffffffffffffff,
     0x995dc9bbdf1939fa},
};

/* Other names that are in use. */
static const struct {
    const char *alias, *name;
} aliases[] = {
    {"CRC-7", "CRC-7/MMC"},
    {"CRC-8", "CRC-8/SMBUS"},
    {"CRC-8/MAXIM", "CRC-8/MAXIM-DOW"},
    {"DOW-CRC", "CRC-8/MAXIM-DOW"},
    {"CRC-8/AES", "CRC-8/TECH-3250"},
    {"CRC-8/ITU", "CRC-8/I-432-1"},
    {"CRC-10", "CRC-10/ATM"},
    {"CRC-11", "CRC-11/FLEXRAY"},
    {"CRC-15", "CRC-15/CAN"},
    {"CRC-16", "CRC-16/ARC"},
    {"ARC", "CRC-16/ARC"},
    {"CRC-IBM", "CRC-16/ARC"},
    {"MODBUS", "CRC-16/MODBUS"},
    {"CRC-16/CCITT", "CRC-16/KERMIT"},
    {"KERMIT", "CRC-16/KERMIT"},
    {"CRC-16/CCITT-FALSE", "CRC-16/IBM-3740"},
    {"CRC-16/AUTOSAR", "CRC-16/IBM-3740"},
    {"CRC-16/X-25", "CRC-16/IBM-SDLC"},
    {"X-25", "CRC-16/IBM-SDLC"},
    {"CRC-16/AUG-CCITT", "CRC-16/SPI-FUJITSU"},
    {"XMODEM", "CRC-16/XMODEM"},
    {"CRC-16/BUYPASS", "CRC-16/UMTS"},
    {"CRC-T10DIF", "CRC-16/T10-DIF"},
    {"CRC-24", "CRC-24/OPENPGP"},
    {"CRC-32", "CRC-32/ISO-HDLC"},
    {"CRC-32/ADCCP", "CRC-32/ISO-HDLC"},
    {"CRC-32/V-42", "CRC-32/ISO-HDLC"},
    {"CRC-32/XZ", "CRC-32/ISO-HDLC"},
    {"PKZIP", "CRC-32/ISO-HDLC"},
    {"CRC-32C", "CRC-32/ISCSI"},
    {"CRC-32/CASTAGNOLI", "CRC-32/ISCSI"},
    {"CRC-32/BASE91-C", "CRC-32/ISCSI"},
    {"CRC-32/INTERLAKEN", "CRC-32/ISCSI"},
    {"CRC-32D", "CRC-32/BASE91-D"},
    {"CRC-32Q", "CRC-32/AIXM"},
    {"CRC-32/POSIX", "CRC-32/CKSUM"},
    {"CKSUM", "CRC-32/CKSUM"},
    {"JAMCRC", "CRC-32/JAMCRC"},
    {"XFER", "CRC-32/XFER"},
    {"CRC-64", "CRC-64/ECMA-182"},
    {"CRC-64/GO-ECMA", "CRC-64/XZ"},
    {"CRC-64/ISO", "CRC-64/GO-ISO"},
    {"CRC-64/JONES", "CRC-64/REDIS"},
    {"CRC-64/ROCKSOFT", "CRC-64/NVME"},
};

static char upper(char c)
{
    return (char) (c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
}

static int equal_ignoring_case(const char *a, const char *b)
{
    for (; *a && upper(*a) == upper(*b); a++)
        b++;
    return upper(*a) == upper(*b);
}

ISAL_PUBLIC const struct isal_crc_params *isal_crc_find(const char *name)
{
    if (!name)
        return NULL;
    for (size_t i = 0; i < ARRAY_SIZE(aliases); i++)
        if (equal_ignoring_case(name, aliases[i].alias))
            name = aliases[i].name;
    for (size_t i = 0; i < ARRAY_SIZE(catalogue); i++)
        if (equal_ignoring_case(name, catalogue[i].name))
            return &catalogue[i];
    return NULL;
}

ISAL_PUBLIC const struct isal_crc_params *isal_crc_catalogue(size_t index)
{
    return index < ARRAY_SIZE(catalogue) ? &catalogue[index] : NULL;
}
