#!/usr/bin/env python3
"""Prints rolling_table.h: the first 16384 bits of the fraction of pi as 256 words of 64 bits.
SPDX-License-Identifier: BSD-3-Clause"""

BITS = 16384
GUARD = 64


def arctan_inverse(n, one):
    """arctan(1 / n) times `one`, by its series."""
    term = one // n
    total, i, sign = term, 1, 1
    while term:
        term //= n * n
        i += 2
        sign = -sign
        total += sign * (term // i)
    return total


def main():
    one = 1 << (BITS + GUARD)
    pi = 4 * (4 * arctan_inverse(5, one) - arctan_inverse(239, one))  # Machin, 1706
    fraction = (pi - 3 * one) >> GUARD
    words = [fraction >> (BITS - 64 * (i + 1)) & (1 << 64) - 1 for i in range(BITS // 64)]
    print("/* Table of the rolling hash: X(word, n) for the first 16384 bits of the fraction of "
          "pi.")
    print(" * SPDX-License-Identifier: BSD-3-Clause")
    print(" *")
    print(" * Made by rolling_table.py. */")
    print()
    print("#ifndef ROLLING_TABLE_H")
    print("#define ROLLING_TABLE_H")
    print()
    print("/* clang-format off */")
    print("#define ROLLING_TABLE(X, n) \\")
    for i in range(0, len(words), 3):
        row = " ".join("X(0x%016x, n)" % w for w in words[i:i + 3])
        print("    " + row + (" \\" if i + 3 < len(words) else ""))
    print()
    print("#endif")


main()
