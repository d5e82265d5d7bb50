#!/usr/bin/env bash
# No mutable file-scope variable in the product: no symbol in a writable section of its object files. Constant
# tables of pointers lie in .data.rel.ro, which the loader fills once; they are fine. $1: build folder.
set -euo pipefail

mutable() { # object files, as lines: "FILE SYMBOL (SECTION)"; a symbol's line is "address flags section<TAB>size name"
    xargs objdump -t | awk -F '\t' '
        /file format/ { file = $1; sub(/:.*/, "", file) }
        NF == 2 {
            n = split($1, left, " ")
            split($2, right, " ")
            section = left[n]
            if (section ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)/ && section !~ /^\.data\.rel\.ro/ && right[2] != section)
                print file, right[2], "(" section ")"
        }'
}

self_test() {
    local line
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    while IFS= read -r line; do
        printf '%s\nint main(void) { return 0; }\n' "$line" > "$folder/planted.c"
        cc -O2 -fPIC -c "$folder/planted.c" -o "$folder/planted.o"
        echo "$folder/planted.o" | mutable | grep -q . || { echo "self-test: not found: $line"; exit 1; }
    done <<'FAULTS'
int zero;
int one = 1;
const char *text = "pointers to constants may change";
int counter(void); int counter(void) { static int n; return ++n; }
_Thread_local int mine;
FAULTS
    echo 'const char *const names[] = {"a", "b"}; const int three = 3;' > "$folder/fine.c"
    cc -O2 -fPIC -c "$folder/fine.c" -o "$folder/fine.o"
    [ -z "$(echo "$folder/fine.o" | mutable)" ] || { echo "self-test: a constant table is reported"; exit 1; }
}

self_test
objects=$(find "$1/core" "$1/workloads" "$1/sim" -name '*.o')
[ "$(wc -l <<< "$objects")" -ge 100 ] || { echo "too few object files in $1"; exit 1; }
found=$(mutable <<< "$objects")
[ -z "$found" ] || { echo "mutable variables:"; echo "$found"; exit 1; }
