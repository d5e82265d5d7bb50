#!/usr/bin/env bash
# clang-tidy finds nothing in the C files of some folders. $1: build folder, the others: folders. One file a
# process: with several, clang-tidy 14 takes every va_list from the second file on for uninitialised.
set -euo pipefail
cd "$SOURCE_DIR"
build=$1
shift
find "$@" -name '*.c' -print0 | sort -z | xargs -0 -n 1 clang-tidy -p "$build" --quiet
