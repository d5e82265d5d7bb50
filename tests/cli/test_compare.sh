#!/usr/bin/env bash
# frenzy compare and demo: the same world for all, paired differences, the same bytes for any number of workers.
. "$SOURCE_DIR/tests/cli/lib.sh"
all=(compare demo --cluster sia-64 --schedulers has,opportunistic,fifo,easy)

works "${all[@]}"
for word in has opportunistic fifo easy 'vs has' 'avg JCT (h)' 'p99 (h)' 'ms/decision' '1 trace, no interval'; do prints "$word"; done
works "${all[@]}" --seeds 0..9
says 'seeds have no effect'
prints '1 trace, no interval'

works "${all[@]}" --seeds 0..4 --set mem_error_sigma=0.1 --workers 2 --jobs-dir two --out two.db
prints '95 % Student t interval of the paired difference over 5 seeds'
same 'a CSV a run' 20 "$(find two -name '*.csv' | wc -l)"
works "${all[@]}" --seeds 0..4 --set mem_error_sigma=0.1 --workers 1 --jobs-dir one
check 'the same bytes for one and two workers' diff -r one two
same 'runs in the database' '4|5|20' "$(query two.db 'SELECT count(DISTINCT scheduler), count(DISTINCT seed), count(*) FROM v_run')"
same 'jobs in the database' 10000 "$(query two.db 'SELECT count(*) FROM v_job')"
check 'seeds differ' test "$(cat two/has-seed0.csv | sha256sum)" != "$(cat two/has-seed1.csv | sha256sum)"

works "${all[@]}" --seeds 3,5 --set mem_error_sigma=0.1
prints 'range over 2 seeds'

# The interval by hand: Student t with 4 degrees of freedom, 2.776445105.
works compare demo --cluster sia-64 --schedulers fifo,easy --seeds 0..4 --set mem_error_sigma=0.3 --json
check 'the paired interval' python3 -c '
import json, math
o = json.load(open("out"))
a, b = ([r["jct_avg_s"] for r in s["runs"]] for s in o["schedulers"])
d = [y / x - 1 for x, y in zip(a, b)]
m = sum(d) / 5
h = 2.7764451051977987 * math.sqrt(sum((x - m) ** 2 for x in d) / 4) / math.sqrt(5)
p = o["schedulers"][1]["jct_avg_against_first"]
assert abs(p["mean"] - m) < 1e-8 and abs(p["low"] - (m - h)) < 1e-8 and abs(p["high"] - (m + h)) < 1e-8, (p, m, h)
assert p["kind"] == "t95" and o["schema"] == "frenzy-compare-1"'

json 'o["schedulers"][1]["jct_p99_against_first"]["kind"] == "bootstrap95" and 0 <= o["schedulers"][1]["p_holm"] <= 1 and "avg JCT than" in o["sentence"]'

# The same runs again replace those that the database has.
works "${all[@]}" --seeds 0..4 --set mem_error_sigma=0.1 --workers 2 --out two.db
same 'still as many runs' 20 "$(query two.db 'SELECT count(*) FROM v_run')"
works report two.db
prints '## demo.csv on sia-64, mem_error_sigma=0.1'

# A key for one scheduler only; a key that none has.
works "${all[@]}" --set has.plan_pick=last
works "${all[@]}" --set consolidate=1
fails 2 "unknown key 'consolidte' (did you mean 'consolidate'?)" "${all[@]}" --set consolidte=1
fails 2 'named twice' compare demo --cluster sia-64 --schedulers has,has
fails 2 'no list of seeds' "${all[@]}" --seeds 5..2

works demo
check 'the demo leaves results/demo.db' test -s results/demo.db
same 'its runs' '4' "$(query results/demo.db 'SELECT count(*) FROM v_run')"
exit $failed
