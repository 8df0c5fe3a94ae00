/* Constants of the gzip (RFC 1952) and zlib (RFC 1950) headers and trailers.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef IGZIP_WRAPPER_H
#define IGZIP_WRAPPER_H

#define METHOD_DEFLATE 8 /* CM of both formats */

#define GZIP_ID1 0x1f
#define GZIP_ID2 0x8b
#define GZIP_XFL_FASTEST 4
#define GZIP_OS_UNKNOWN 255
#define GZIP_FIXED_HEADER 10 /* bytes before the optional fields */
#define GZIP_TRAILER 8       /* bytes: CRC-32 and length */

/* FLG of gzip: the optional fields that follow the fixed header. */
enum gzip_flag {
    GZIP_FTEXT = 1, /* no field: the data are text */
    GZIP_FHCRC = 2,
    GZIP_FEXTRA = 4,
    GZIP_FNAME = 8,
    GZIP_FCOMMENT = 16
};

#define ZLIB_HEADER 2      /* bytes: CMF and FLG */
#define ZLIB_TRAILER 4     /* bytes: Adler-32 */
#define ZLIB_DICT_ID 4     /* bytes, after the header */
#define ZLIB_FDICT 0x20    /* bit of FLG: a dictionary ID follows */
#define ZLIB_FCHECK_MOD 31 /* divides 256 CMF + FLG */

#endif
