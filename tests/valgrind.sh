#!/usr/bin/env bash
# One replay with every output under valgrind: no error, no leak. $1: program.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
valgrind -q --error-exitcode=99 --leak-check=full --show-leak-kinds=definite,possible --errors-for-leak-kinds=definite \
    "$1" replay demo --cluster sia-64 --scheduler has --set mem_error_sigma=0.1 --out "$folder/r.db" \
    --jobs-csv "$folder/j.csv" --json > "$folder/out.json"
test -s "$folder/r.db" && test -s "$folder/j.csv" && test -s "$folder/out.json"
