#!/usr/bin/env bash
# No mutable file-scope variable in the product: nothing in .data or .bss of its object files. Constant
# tables of pointers lie in .data.rel.ro, which the loader writes once; they are fine. $1: build folder.
found=$(find "$1/core" "$1/workloads" "$1/sim" -name '*.o' -exec objdump -t {} + |
    awk '$0 ~ /file format/ { file = $1 } $0 ~ /[[:space:]](\.data|\.bss|\.tdata|\.tbss|\*COM\*)(\.[^r][^[:space:]]*)?[[:space:]]/ && $0 !~ / d  / { print file, $0 }')
[ -z "$found" ] || { echo "mutable variables:"; echo "$found"; exit 1; }
[ -n "$(find "$1/core" -name '*.o' -print -quit)" ] || { echo "no object files in $1"; exit 1; }
