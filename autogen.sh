#!/bin/sh
# Creates configure and Makefile.in from configure.ac and Makefile.am.
# SPDX-License-Identifier: BSD-3-Clause
set -e
cd "$(dirname "$0")"
if ! command -v autoreconf >/dev/null 2>&1; then
    echo "autogen.sh: autoreconf is missing; install autoconf, automake and libtool," \
        "or run ./setup.sh check" >&2
    exit 1
fi
mkdir -p m4 # for libtool's macros: aclocal warns if it has to make the folder
exec autoreconf --install --warnings=all
