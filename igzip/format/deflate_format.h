/* Constants of the DEFLATE format (RFC 1951), shared by compression and decompression.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef DEFLATE_FORMAT_H
#define DEFLATE_FORMAT_H

#include <stdint.h>

#include "dispatch/compiler.h"

#define DEFLATE_WINDOW 32768 /* bytes that a match may reach back */
#define DEFLATE_MIN_MATCH 3
#define DEFLATE_MAX_MATCH 258
#define DEFLATE_MAX_BITS 15         /* of a literal, length or distance code */
#define DEFLATE_END_OF_BLOCK 256    /* symbol after the literals */
#define DEFLATE_FIRST_LENGTH 257    /* symbol of the shortest length */
#define DEFLATE_LITLEN_SYMBOLS 286  /* symbols that data may contain */
#define DEFLATE_DISTANCE_SYMBOLS 30 /* likewise */
#define DEFLATE_FIXED_LITLENS 288   /* symbols of the fixed code; data never contain the last two */
#define DEFLATE_FIXED_DISTANCES 32  /* likewise */
#define DEFLATE_PRECODE_SYMBOLS 19  /* of the code for code lengths */
#define DEFLATE_PRECODE_MAX_BITS 7
#define DEFLATE_STORED_MAX 65535 /* bytes in one stored block */
/* Bytes of its header, from the byte where it begins. */
#define DEFLATE_STORED_HEADER 5

enum deflate_block_type { DEFLATE_STORED, DEFLATE_FIXED, DEFLATE_DYNAMIC };

/* Length symbol DEFLATE_FIRST_LENGTH + i: the length is `base` plus the value of `extra` extra bits
 * (RFC 1951, 3.2.5). */
static const struct {
    uint16_t base;
    uint8_t extra;
} deflate_lengths[29] = {
    {3, 0},  {4, 0},  {5, 0},  {6, 0},   {7, 0},   {8, 0},   {9, 0},   {10, 0},  {11, 1},  {13, 1},
    {15, 1}, {17, 1}, {19, 2}, {23, 2},  {27, 2},  {31, 2},  {35, 3},  {43, 3},  {51, 3},  {59, 3},
    {67, 4}, {83, 4}, {99, 4}, {115, 4}, {131, 5}, {163, 5}, {195, 5}, {227, 5}, {258, 0},
};

/* Entry length - DEFLATE_MIN_MATCH: the symbol of that length, minus DEFLATE_FIRST_LENGTH. */
ISALK_HIDDEN_BEGIN
extern const uint8_t isalk_deflate_length_symbol[256];
ISALK_HIDDEN_END

/* Distance symbol i: the distance is `base` plus the value of `extra` extra bits. */
static const struct {
    uint16_t base;
    uint8_t extra;
} deflate_distances[DEFLATE_DISTANCE_SYMBOLS] = {
    {1, 0},     {2, 0},     {3, 0},     {4, 0},      {5, 1},      {7, 1},
    {9, 2},     {13, 2},    {17, 3},    {25, 3},     {33, 4},     {49, 4},
    {65, 5},    {97, 5},    {129, 6},   {193, 6},    {257, 7},    {385, 7},
    {513, 8},   {769, 8},   {1025, 9},  {1537, 9},   {2049, 10},  {3073, 10},
    {4097, 11}, {6145, 11}, {8193, 12}, {12289, 12}, {16385, 13}, {24577, 13},
};

/* The order in which a block header lists the lengths of the code for code lengths (3.2.7). */
static const uint8_t deflate_precode_order[DEFLATE_PRECODE_SYMBOLS] = {
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};

#endif
