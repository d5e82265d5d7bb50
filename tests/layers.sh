#!/usr/bin/env bash
# The arrows between folders: who may include whom, who may use SQL, print or allocate; and the layout of the tree.
# Prints every fault; then plants some in a copy and checks that it finds them. $1: the tree (default: this one).
set -uo pipefail
failed=0

# rule FOLDER PATTERN WHY: no C file below FOLDER may have a line that matches PATTERN
rule() {
    local hits
    hits=$(grep -rnE --include='*.c' --include='*.h' "$2" "$tree/$1" 2>/dev/null | grep -vE "${4:-^$}")
    [ -z "$hits" ] || { echo "$3:"; echo "$hits"; failed=1; }
}

check() {
    tree=$1
    failed=0
    local own='#include "(sim|workloads|calib|tests|core)/'
    rule core/src "$own" "core includes only <frenzy/...> and its own files"
    rule core/include "$own" "public headers include only <frenzy/...>"
    rule core/src '#include <(gsl|sqlite3|jansson|yaml|zlib|unistd|time|sys)' "core is libc and libm only, no system"
    rule core/src '\b(FILE|fopen|fprintf|printf|puts|getenv|time|clock|clock_gettime|exit|abort)\(|\bFILE \*' "core prints nothing, reads no file and no clock"
    rule core/src '\b(malloc|calloc|realloc)\(' "core allocates through arenas" 'core/src/arena\.c'
    rule core/support '#include "(sim|workloads|calib|tests)/' "support knows core only"
    rule workloads '#include "(sim|calib|tests)/' "workloads knows core and support only"
    rule sim/sched '#include "(sim/(engine|metrics|experiment|store|report|cli)|workloads|calib|tests)/' "policies see sched.h only"
    rule sim/sched '#include "core/support/' "policies use core and sched.h"
    rule sim/plugin '#include "(sim/(engine|metrics|experiment|store|report|cli)|workloads|calib|tests)/' "plug-ins know sched.h and support only"
    rule sim/engine '#include "(sim/(experiment|store|report|cli)|calib|tests)/' "the engine knows policies and metrics only"
    rule sim/engine '#include "core/support/' "the engine uses random streams of support only" 'support/rng\.h'
    rule sim/metrics '#include "(sim/(engine|sched|experiment|store|report|cli)|workloads|calib|tests|core/support)/' "metrics know core only"
    rule sim/experiment '#include "(sim/(store|report|cli)|calib|tests)/' "experiments know the engine and workloads"
    rule sim/store '#include "(sim/(engine|sched|report|cli)|calib|tests)/' "the store knows results only"
    rule sim/report '#include "(sim/(engine|sched|cli)|calib|tests)/' "reports know results only"
    rule core 'sqlite3_(prepare|exec)' "SQL stands in sim/store only" 'core/support/db\.[ch]'
    rule workloads 'sqlite3' "SQL stands in sim/store only"
    rule sim 'sqlite3' "SQL stands in sim/store only" 'sim/store/|sim/cli/libraries\.c'
    local odd folder
    odd=$(cd "$tree" && { git ls-files 2>/dev/null || ls -A; } | cut -d/ -f1 | sort -u |
        grep -vxE 'CMakeLists\.txt|README\.md|LICENSE|core|workloads|sim|calib|scripts|tests|results|\..*')
    [ -z "$odd" ] || { echo "top-level entries outside the layout: $odd"; failed=1; }
    for folder in core core/support workloads sim sim/engine sim/sched sim/plugin sim/metrics sim/experiment sim/store sim/report \
        sim/cli calib scripts tests results; do
        [ -f "$tree/$folder/README.md" ] || { echo "no README.md in $folder"; failed=1; }
    done
    return $failed
}

self_test() {
    local folder line n=0 found
    copy=$(mktemp -d)
    trap 'rm -rf "$copy"' EXIT
    tar -C "$1" --exclude='./build*' --exclude=./.git --exclude='./results/*.db*' -cf - . | tar -C "$copy" -xf -
    while IFS='|' read -r folder line; do
        n=$((n + 1))
        printf '%s\n' "$line" > "$copy/$folder/planted_$n.c"
    done <<'FAULTS'
core/src|#include "sim/engine/engine.h"
core/src|    printf("x");
core/src|    return malloc(n);
core/src|    FILE *file = NULL;
core/src|    return time(NULL);
core/support|#include "workloads/trace.h"
core/support|    sqlite3_exec(handle, text, 0, 0, 0);
workloads|#include "sim/cli/say.h"
sim/sched|#include "sim/engine/state.h"
sim/plugin|#include "sim/engine/engine.h"
sim/engine|#include "sim/store/store.h"
sim/metrics|#include "sim/engine/engine.h"
sim/store|#include "sim/cli/say.h"
sim/cli|    sqlite3_exec(handle, "DELETE FROM run", 0, 0, 0);
FAULTS
    touch "$copy/notes.txt"
    rm "$copy/sim/README.md"
    found=$(check "$copy")
    for line in $(seq -f 'planted_%g.c:' "$n") 'layout: notes.txt' 'no README.md in sim'; do
        grep -qF "$line" <<< "$found" || { echo "self-test: not found: $line"; return 1; }
    done
}

top=$(cd "$(dirname "$0")/.." && pwd)
check "${1:-$top}" || exit 1
self_test "${1:-$top}"
