#!/usr/bin/env bash
# clang-tidy finds nothing in the C files of some folders. $1: build folder, the others: folders.
set -euo pipefail
cd "$SOURCE_DIR"
build=$1
shift
find "$@" -name '*.c' -print0 | sort -z | xargs -0 -n 8 clang-tidy -p "$build" --quiet
