#!/bin/sh
# Builds the library and demonstrates or checks it: ./setup.sh demo, ./setup.sh check.
# SPDX-License-Identifier: BSD-3-Clause
set -eu
cd "$(dirname "$0")"
top=$PWD

usage() {
    cat <<'END'
Usage: ./setup.sh demo     build, then encode, damage, repair and decode a real file
       ./setup.sh check    build, then run the tests (make check)

Both install missing build tools (nasm, autoconf, automake, libtool, make, a C compiler) with the
system's package manager, after listing them, and build in the folder build.
END
}

say() {
    printf '%s\n' "$*"
}

have() {
    command -v "$1" >/dev/null 2>&1
}

die() {
    printf '\nsetup.sh: %s\n' "$*" >&2
    exit 1
}

# ---- What the build needs ----

# Whether a C program can be compiled and linked: some systems have a compiler but no headers.
have_compiler() {
    probe=$(mktemp -d "${TMPDIR:-/tmp}/isal-setup.XXXXXX")
    printf '#include <stdio.h>\nint main(void) { return puts("") < 0; }\n' >"$probe/probe.c"
    compiler_works=no
    for compiler in ${CC:-gcc cc clang}; do
        "$compiler" -o "$probe/probe" "$probe/probe.c" >/dev/null 2>&1 || continue
        compiler_works=yes
        break
    done
    rm -rf "$probe"
    [ $compiler_works = yes ]
}

# Prints the missing tools, by their names in most package managers.
missing_tools() {
    have_compiler || say gcc
    have make || say make
    have autoconf || say autoconf
    have automake || say automake
    have libtoolize || have glibtoolize || say libtool
    have cmp || say diffutils
    have find || say findutils
    case $(uname -m) in
        x86_64 | amd64) have "${NASM:-nasm}" || say nasm ;;
    esac
}

# Shows a command and runs it.
run() {
    say "+ $*"
    "$@"
}

install_tools() {
    missing=$(missing_tools | tr '\n' ' ')
    missing=${missing% }
    [ -n "$missing" ] || return 0
    say "Missing for the build: $missing"

    update=
    if have apt-get; then
        update="apt-get update"
        install="env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends"
        libc=libc6-dev
    elif have dnf; then
        install="dnf install -y"
        libc=glibc-devel
    elif have apk; then
        install="apk add"
        libc=musl-dev
    elif have pacman; then
        install="pacman -Sy --needed --noconfirm"
        libc=
    elif have brew; then
        case " $missing " in
            *" gcc "* | *" make "*)
                die "the C compiler or make is missing;
run 'xcode-select --install', then this again" ;;
        esac
        install="brew install"
    else
        die "no known package manager (apt, dnf, apk, pacman, brew).
Install these by hand, then run this again: $missing"
    fi
    case " $missing " in
        *" gcc "*) missing="$missing $libc" ;;
    esac

    sudo=
    if [ "$(id -u)" -ne 0 ] && ! have brew; then
        have sudo || die "there is no sudo. Have an administrator run this, then run this again:
    $install $missing"
        sudo=sudo
    fi
    say "They will be installed with:"
    [ -z "$update" ] || say "    ${sudo:+$sudo }$update"
    say "    ${sudo:+$sudo }$install $missing"
    # These are split into words on purpose.
    [ -z "$update" ] || run $sudo $update || say "(the package lists could not be updated)"
    run $sudo $install $missing ||
        die "the installation failed. Install these by hand, then run this again: $missing"
    missing=$(missing_tools | tr '\n' ' ')
    [ -z "$missing" ] || die "still missing; install these by hand, then run this again: $missing"
}

# ---- Build ----

# Runs a step of the build with its output in a file, whose end is printed if the step fails.
step() {
    say "$1 ..."
    shift
    "$@" >build/setup.log 2>&1 || {
        tail -n 40 build/setup.log >&2
        die "this failed: $*
The whole output is in $top/build/setup.log"
    }
}

configure() {
    cd build
    ../configure
    cd ..
}

build() {
    install_tools
    have libtoolize || LIBTOOLIZE=glibtoolize
    export LIBTOOLIZE="${LIBTOOLIZE:-libtoolize}"
    jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || say 2)
    mkdir -p build
    [ -x configure ] || step "Creating configure" ./autogen.sh
    [ -f build/Makefile ] || step "Configuring in build" configure
    step "Building with $jobs jobs" make -C build -j "$jobs"
}

# ---- Demonstration ----

demo_size=67108864 # bytes, at least

file_size() {
    wc -c <"$1" | tr -d ' '
}

# Prints the names of binaries of this machine in a fixed order, those of the compiler first.
system_files() {
    for program in cc1 lto1 cc1plus clang as ld; do
        path=$("${CC:-cc}" -print-prog-name=$program 2>/dev/null) || continue
        [ ! -f "$path" ] || say "$path"
    done
    find /usr/lib /usr/lib64 /usr/libexec /usr/bin /Library/Developer -type f -size +1000k \
        2>/dev/null | LC_ALL=C sort
}

# Concatenates such files to one of at least demo_size bytes.
gather() {
    : >"$1"
    system_files >list
    while read -r path; do
        size=$(file_size "$1")
        [ "$size" -lt $demo_size ] || break
        if cat "$path" >>"$1" 2>/dev/null; then say "  $path"; fi
    done <list
    while size=$(file_size "$1") && [ "$size" -lt $demo_size ]; do
        [ "$size" -gt 0 ] || die "no system file could be read for the demonstration"
        cp "$1" half
        cat half >>"$1"
        say "  all of it again: this machine has few large files"
    done
}

# Flips the lowest bit of a byte: flip FILE OFFSET
flip() {
    byte=$(od -An -tu1 -j "$2" -N 1 "$1")
    printf "\\$(printf %03o $((byte ^ 1)))" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

# Prints and runs an ec_file command, which must end with the given status: ec STATUS ARGUMENTS...
ec() {
    wanted=$1
    shift
    say "\$ ec_file $*"
    status=0
    "$top/build/ec_file" "$@" >output || status=$?
    cat output
    grep 'MB/s' output >>speeds || :
    [ $status -eq "$wanted" ] || die "ec_file ended with status $status, not $wanted"
    say
}

demo() {
    folder=$(mktemp -d "${TMPDIR:-/tmp}/isal-demo.XXXXXX")
    trap 'rm -rf "$folder"' EXIT
    trap 'exit 1' HUP INT TERM
    cd "$folder"

    if [ -x "$top/build/isal-info" ]; then
        say
        say "The library on this machine:"
        "$top/build/isal-info"
    fi
    say
    say "A real file of at least 64 MB, concatenated from:"
    gather original
    say
    say "1. Split it into 10 data and 4 parity shards. Any 10 of the 14 restore it."
    ec 0 encode original -k 10 -m 4 -o shards

    say "2. Damage four of the shards: delete two, truncate one, flip bits in another."
    rm shards/shard-002.ec shards/shard-011.ec
    half=$(($(file_size shards/shard-005.ec) / 2))
    head -c $half shards/shard-005.ec >cut
    mv cut shards/shard-005.ec
    flip shards/shard-007.ec 100000
    flip shards/shard-007.ec 3000000
    say "   deleted shard-002.ec and shard-011.ec, truncated shard-005.ec to $half bytes,"
    say "   flipped a bit of shard-007.ec at byte 100000 and one at byte 3000000"
    say

    say "3. Verify. Checksums detect missing, truncated and changed chunks."
    ec 1 verify shards

    say "4. Decode from the damaged shards, and compare."
    ec 0 decode shards -o decoded
    cmp original decoded || die "the decoded file differs from the original"
    say "cmp: the decoded file is the original, byte for byte"
    say

    say "5. Repair: rewrite the four shards. Then all are intact."
    ec 0 repair shards
    ec 0 verify shards

    say "6. Decode again, from the repaired shards, and compare."
    ec 0 decode shards -o decoded_again
    cmp original decoded_again || die "the decoded file differs from the original"
    say "cmp: the decoded file is the original, byte for byte"
    say
    say "Speeds, including reading, checksums and writing:"
    sed 's/^/    /' speeds
}

case ${1:-} in
    demo)
        build
        demo
        ;;
    check)
        build
        run make -C build -j "$jobs" check
        ;;
    "" | -h | --help)
        usage
        ;;
    *)
        usage >&2
        exit 2
        ;;
esac
