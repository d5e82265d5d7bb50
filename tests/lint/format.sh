#!/usr/bin/env bash
# All C files are formatted by the rules of .clang-format.
set -euo pipefail
cd "$SOURCE_DIR"
find core workloads sim calib tests -name '*.[ch]' -print0 | xargs -0 clang-format --dry-run --Werror
