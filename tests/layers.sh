#!/usr/bin/env bash
# The arrows between folders: who may include whom. Prints every forbidden one. $1: the tree (default: this
# repository). With --self-test it checks that it finds planted faults.
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
    rule core/src '\b(fopen|fprintf|printf|puts|getenv|time|clock_gettime|exit|abort)\(' "core prints nothing, reads no file and no clock"
    rule core/src '\b(malloc|realloc)\(' "core allocates through arenas"
    rule core/support '#include "(sim|workloads|calib|tests)/' "support knows core only"
    rule workloads '#include "(sim|calib|tests)/' "workloads knows core and support only"
    rule sim/sched '#include "(sim/(engine|metrics|experiment|store|report|cli)|workloads|calib|tests)/' "policies see sched.h only"
    rule sim/sched '#include "core/support/' "policies use core and sched.h"
    rule sim/engine '#include "(sim/(experiment|store|report|cli)|calib|tests)/' "the engine knows policies and metrics only"
    rule sim/engine '#include "core/support/' "the engine uses random streams of support only" 'support/rng\.h'
    rule sim/metrics '#include "(sim/(engine|sched|experiment|store|report|cli)|workloads|calib|tests|core/support)/' "metrics know core only"
    rule sim/experiment '#include "(sim/(store|report|cli)|calib|tests)/' "experiments know the engine and workloads"
    rule sim/store '#include "(sim/(engine|sched|report|cli)|calib|tests)/' "the store knows results only"
    rule sim/report '#include "(sim/(engine|sched|cli)|calib|tests)/' "reports know results only"
    rule core 'sqlite3_(prepare|exec)' "SQL stands in sim/store only" 'core/support/db\.[ch]'
    rule workloads 'sqlite3' "SQL stands in sim/store only"
    rule sim 'sqlite3' "SQL stands in sim/store only" 'sim/store/|sim/cli/cmd_doctor\.c'
    local odd folder
    odd=$(cd "$tree" && git ls-files 2>/dev/null | cut -d/ -f1 | sort -u |
        grep -vxE 'CMakeLists\.txt|README\.md|LICENSE|core|workloads|sim|calib|scripts|tests|results|\..*')
    [ -z "$odd" ] || { echo "top-level entries outside the layout: $odd"; failed=1; }
    for folder in core core/support workloads sim sim/engine sim/sched sim/metrics sim/experiment sim/store sim/report \
        sim/cli calib scripts tests results; do
        [ -f "$tree/$folder/README.md" ] || { echo "no README.md in $folder"; failed=1; }
    done
    return $failed
}

self_test() {
    local copy line
    copy=$(mktemp -d)
    trap 'rm -rf "$copy"' EXIT
    (cd "$1" && git ls-files -z | xargs -0 cp --parents -t "$copy")
    check "$copy" >/dev/null || { echo "self-test: the copy of the tree fails"; exit 1; }
    while IFS='|' read -r file line; do
        printf '%s\n' "$line" > "$copy/$file"
        check "$copy" >/dev/null && { echo "self-test: not found: $line in $file"; exit 1; }
        rm "$copy/$file"
    done <<'FAULTS'
core/src/planted.c|#include "sim/engine/engine.h"
core/src/planted.c|printf("x");
sim/sched/planted.c|#include "sim/engine/state.h"
workloads/planted.c|#include "sim/cli/say.h"
sim/cli/planted.c|sqlite3_exec(db, "DELETE FROM run", 0, 0, 0);
FAULTS
    rm "$copy/sim/README.md"
    check "$copy" >/dev/null && { echo "self-test: a missing README is not found"; exit 1; }
    return 0
}

top=$(cd "$(dirname "$0")/.." && pwd)
check "${1:-$top}" || exit 1
self_test "${1:-$top}"
