#!/usr/bin/env bash
# The same inputs and seed give the same bytes: job files and JSON (without its object `cost`), for one and
# two workers, without and with optimisation, and under valgrind.
# $1: program at -O2, $2: program at -O0.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

without_cost() {
    python3 -c '
import json, sys
def strip(x):
    if isinstance(x, dict):
        return {k: strip(v) for k, v in x.items() if k != "cost"}
    return [strip(v) for v in x] if isinstance(x, list) else x
json.dump(strip(json.load(sys.stdin)), sys.stdout, indent=1)'
}

run() { # name, program..., then the workers
    local name=$1 workers=$2
    shift 2
    "$@" compare demo --cluster sia-64 --schedulers has,opportunistic,fifo,fifo_skip,sjf,easy --seeds 0..2 \
        --set mem_error_sigma=0.2 --workers "$workers" --jobs-dir "$folder/$name" --json 2>/dev/null |
        without_cost > "$folder/$name.json"
}

run reference 1 "$1"
run workers 2 "$1"
run plain 1 "$2"
run valgrind 1 valgrind -q --error-exitcode=99 "$1"
[ "$(ls "$folder/reference" | wc -l)" -eq 18 ]
for other in workers plain valgrind; do
    diff -r "$folder/reference" "$folder/$other"
    diff "$folder/reference.json" "$folder/$other.json"
done
