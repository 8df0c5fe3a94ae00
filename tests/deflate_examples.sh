#!/bin/sh
# Runs the examples of compression.
# SPDX-License-Identifier: BSD-3-Clause
. "${srcdir:-..}/tests/check.sh"

need gzip gzip

for level in 0 1 2 3; do
    if examples/deflate/deflate_stream $level <"$srcdir/doc/performance.md" | gzip -dc |
        cmp - "$srcdir/doc/performance.md"; then
        pass
    else
        fail "deflate_stream at level $level"
    fi
done
for example in semi_dynamic dictionary; do
    if examples/deflate/$example; then pass; else fail "$example"; fi
done
finish
