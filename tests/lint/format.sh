#!/usr/bin/env bash
# All C files are formatted by the rules of .clang-format.
cd "$SOURCE_DIR" || exit 1
git ls-files '*.c' '*.h' | xargs clang-format --dry-run --Werror
