#!/usr/bin/env bash
# frenzy sweep: the grid of a file, resume, shards, merging, failures, and complaints with their place.
. "$SOURCE_DIR/tests/cli/lib.sh"
. "$SOURCE_DIR/tests/cli/sweep_lib.sh"

cat >load.yaml <<'Y'
name: load
trace: demo
cluster: sia-64
scheduler: [has, {name: fifo, consolidate: [0, 1]}, {name: easy, label: EASY}]
load: [0.5, 1.0]
seed: [0, 2..3]
set: {mem_error_sigma: 0.1}
window: 50:400
out: one.db
Y

# The plan: 2 loads x 4 schedulers x 3 seeds.
works sweep load.yaml --dry-run
prints '24 runs (1 trace x 1 cluster x 2 loads x 4 schedulers x 3 seeds), 0 done'
prints 'fifo consolidate=1, demo on sia-64, load 0.5, mem_error_sigma=0.1, jobs 50:400, seed 2'
check 'a dry run leaves no database' test ! -e one.db

# The same whatever the number of workers, and again: nothing is left to do.
works sweep load.yaml --workers 1
prints '24 runs: 0 done before, 24 run now, 0 failed'
works sweep load.yaml --workers 2 --out two.db --json
json 'o["schema"] == "frenzy-sweep-1" and o["ran"] == 24 and o["failed"] == 0 and o["runs"] == 24'
same 'one and two workers' "$(digest one.db)" "$(digest two.db)"
works sweep load.yaml
prints '24 runs: 24 done before, 0 run now, 0 failed'
same 'jobs are all there, the window is measured' '12000|8400' "$(query one.db 'SELECT count(*), sum(measured) FROM v_job')"
same 'the summary is over the window' '350|350' "$(query one.db 'SELECT min(jobs), max(jobs) FROM v_summary')"
same 'labels' 'EASY|fifo consolidate=0|fifo consolidate=1|has' "$(query one.db 'SELECT group_concat(label, "|") FROM (SELECT DISTINCT label FROM v_run ORDER BY label)')"
same 'scenarios' 2 "$(query one.db 'SELECT count(DISTINCT scenario) FROM v_run')"

# The figures are those of the jobs. Load 1 offers twice the work of load 0.5 in the same time.
check 'JCT and allocation from the jobs' python3 - <<'P'
import sqlite3
db = sqlite3.connect("one.db")
for run, avg, alloc in db.execute("SELECT run_id, jct_avg_s, alloc_frac FROM v_summary").fetchall():
    jcts = [j for (j,) in db.execute("SELECT jct_s FROM v_job WHERE run_id = ? AND measured AND state = 'FINISHED'", (run,))]
    assert abs(sum(jcts) / len(jcts) - avg) < 1e-6 * avg, run
    assert 0 < alloc <= 1
for a, b in db.execute("""SELECT a.submit_s, b.submit_s FROM v_job a JOIN v_run ra USING (run_id), v_job b JOIN v_run rb
        ON rb.run_id = b.run_id WHERE ra.load = 0.5 AND rb.load = 1 AND ra.label = 'has' AND rb.label = 'has' AND ra.seed = 0 AND rb.seed = 0 AND a.row = b.row"""):
    assert abs(a - 2 * b) < 1e-5, (a, b)
P
check 'the timeline: no gap, never above 100 %, its integral is the GPU time' python3 - <<'P'
import sqlite3
db = sqlite3.connect("one.db")
for (run,) in db.execute("SELECT run_id FROM v_run").fetchall():
    bins = db.execute("SELECT start_s, end_s, alloc_gpus, alloc_frac FROM v_timeline WHERE run_id = ? ORDER BY start_s", (run,)).fetchall()
    assert 2 <= len(bins) <= 1024
    assert all(a[1] == b[0] for a, b in zip(bins, bins[1:]))
    assert all(0 <= b[3] <= 1 for b in bins)
    gpu_s = db.execute("SELECT sum(gpu_s) FROM v_job WHERE run_id = ?", (run,)).fetchone()[0]
    assert abs(sum((b[1] - b[0]) * b[2] for b in bins) - gpu_s) < 1e-6 * gpu_s, run
P

# Shards from anywhere, merged in any order and twice.
for i in 1 2 3; do works sweep load.yaml --shard $i/3 --out s$i.db; done
works sweep merge s3.db s1.db s2.db --out all.db
prints '24 runs added, 0 there already'
same 'shards, merged' "$(digest one.db)" "$(digest all.db)"
works sweep merge s1.db s2.db s3.db --out all.db
prints '0 runs added, 24 there already'
same 'merged twice' "$(digest one.db)" "$(digest all.db)"
works sweep load.yaml --out all.db
prints '24 done before, 0 run now'

# A changed program is another version: merging refuses to mix them.
cp s1.db other.db
query other.db "SELECT 1" >/dev/null
python3 -c 'import sqlite3; d = sqlite3.connect("other.db"); d.execute("UPDATE run SET key = '"'"'x'"'"', version = '"'"'9'"'"'"); d.commit()'
fails 1 'was made here by version 9' sweep merge other.db --out all.db
printf 'no database' >text.db
fails 1 'not a database' sweep merge text.db --out all.db
fails 1 'gone.db' sweep merge gone.db --out all.db
fails 2 'would replace' sweep merge s1.db all.db --out all.db

# Two at once on one database.
"$FRENZY" sweep load.yaml --workers 1 --out both.db >a.out 2>a.err & first=$!
"$FRENZY" sweep load.yaml --workers 1 --out both.db >b.out 2>b.err & second=$!
wait $first; same 'the first sweep' 0 $?
wait $second; same 'the second sweep' 0 $?
same 'two sweeps at once' "$(digest one.db)" "$(digest both.db)"

# --force does all again.
works sweep load.yaml --force
prints '24 runs: 0 done before, 24 run now'
same 'forced' "$(digest two.db)" "$(digest one.db)"

# Seeds without effect are not run.
cat >dull.yaml <<'Y'
trace: demo
cluster: sia-64
scheduler: fifo
seed: 0..9
Y
works sweep dull.yaml
says 'seeds have no effect in 1 of 1 scenarios'
same 'one run' 1 "$(query results/dull.db 'SELECT count(*) FROM v_run')"
same 'the load of the trace is stated' 1 "$(query results/dull.db 'SELECT load > 0 AND submit_scale = 1 FROM v_run')"

# Overload ends a run by its rule: it failed, with its reason; the others are not touched, and it is tried again.
cat >over.yaml <<'Y'
trace: demo
cluster: sia-64
scheduler: [fifo, has]
load: 6
overload: {max_queue: 200}
Y
code=0; "$FRENZY" sweep over.yaml >out 2>err || code=$?
same 'exit code of a failed run' 4 $code
says 'unstable: queue grows by'
same 'kept in the database' 'fifo|unstable' "$(query results/over.db "SELECT label, kind FROM v_failure WHERE label = 'fifo'")"
code=0; "$FRENZY" sweep over.yaml >out 2>err || code=$?
same 'still' 4 $code
same 'once' 1 "$(query results/over.db "SELECT count(*) FROM v_failure WHERE label = 'fifo'")"

# Time and memory.
sed 's/^window.*/time_limit_s: 0.001/; s/^out.*//' load.yaml >slow.yaml
awk 'BEGIN { print "job_id,submit_s,req_gpus,duration_s"; for (i = 0; i < 300000; i++) print i "," i ",1,400" }' >long.csv
printf 'trace: long.csv\ncluster: uniform-512\nscheduler: [easy]\ntime_limit_s: 0.05\n' >slow.yaml
code=0; "$FRENZY" sweep slow.yaml >out 2>err || code=$?
same 'time limit: exit code' 4 $code
same 'time limit: reason' 'time|stopped at its time limit of 0.05 s' "$(query results/slow.db 'SELECT kind, reason FROM v_failure')"
sed -i 's/time_limit_s.*/memory_limit_gib: 0.05/' slow.yaml
if ! grep -q __asan_init "$FRENZY"; then # the address sanitizer itself needs terabytes of addresses
  code=0; "$FRENZY" sweep slow.yaml >out 2>err || code=$?
  same 'memory limit: exit code' 4 $code
  same 'memory limit: reason' 'memory' "$(query results/slow.db 'SELECT kind FROM v_failure')"
fi
sed -i '/memory_limit/d' slow.yaml
works sweep slow.yaml
same 'a success takes the failure away' '1|0' "$(query results/slow.db 'SELECT (SELECT count(*) FROM v_run), (SELECT count(*) FROM v_failure)')"

# A disk that is full (here: a limit on the size of files), a folder that cannot be written.
works sweep load.yaml --shard 1/3 --out full.db
before=$(digest full.db)
size=$(stat -c %s full.db)
code=0; (trap '' XFSZ; ulimit -f $((size / 1024 + 200)); exec "$FRENZY" sweep load.yaml --out full.db >out 2>err) || code=$?
same 'disk full: exit code' 1 $code
check 'disk full: said' grep -qE 'full.db: cannot .* the database' err
n=$(query full.db 'SELECT count(*) FROM v_run')
check 'disk full: earlier runs are there' test "$n" -ge 8 -a "$n" -lt 24
works sweep load.yaml --out full.db
same 'goes on afterwards' "$(digest one.db)" "$(digest full.db)"
fails 1 'does the folder exist' sweep load.yaml --out gone/x.db

# Conditions for CI.
works sweep load.yaml --fail-if 'failed > 0 or runs != 24'
condition() { # CODE EXPRESSION
  local code=0
  "$FRENZY" sweep load.yaml --fail-if "$2" >out 2>err || code=$?
  same "--fail-if $2" "$1" "$code"
}
condition 5 'has.jct_avg_s > 0'
condition 0 'has.jct_avg_s < 0 and runs == 24'
condition 5 '"fifo consolidate=0".jct_p99_s > 1.01 * has.jct_p99_s'
condition 5 'not (EASY.finished + EASY.not_finished != 350)'
condition 0 '-1 + 2 * 3 == 5 and 1 > 2'
fails 2 '--fail-if, character 5: no such figure' sweep load.yaml --fail-if 'has.jct > 0'
fails 2 '--fail-if, character 10: ' sweep load.yaml --fail-if 'failed > '
fails 2 'a ) is missing' sweep load.yaml --fail-if '(failed > 0'
fails 2 'no scheduler of this label' sweep load.yaml --fail-if 'nobody.ooms > 0'

# A folder and a file that may not be written: said, and what is there stays.
mkdir ro
cp one.db ro/x.db
cp "$FRENZY" frenzy
chmod 755 . frenzy
chmod 555 ro
chmod 444 ro/x.db
as_user() { if [ "$(id -u)" = 0 ]; then setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; else "$@"; fi; }
for out in ro/x.db ro/new.db; do
  code=0; as_user ./frenzy sweep load.yaml --force --out $out >out 2>err || code=$?
  same "read-only: exit code for $out" 1 $code
  check "read-only: said for $out" grep -qE "$out: .*(read-only|may you write|rights)" err
done
chmod 755 ro
same 'read-only: what was there' "$(digest one.db)" "$(digest ro/x.db)"

# The file: complaints name the place.
bad() { # WORDS LINES...: an experiment with these lines instead of those of the same key
  local words=$1; shift
  printf 'trace: demo\ncluster: sia-64\n' >bad.yaml
  printf '%s\n' "$@" >>bad.yaml
  fails 3 "$words" sweep bad.yaml
}
bad "bad.yaml:3:12: unknown scheduler 'haz'; did you mean 'has'?" 'scheduler: haz'
bad "bad.yaml:3:25: unknown key 'consolidte' (did you mean 'consolidate'?)" 'scheduler: {name: fifo, consolidte: 1}'
bad "bad.yaml:3:38: consolidate: '3' is neither 0 nor 1" 'scheduler: {name: fifo, consolidate: 3}'
bad "bad.yaml:3:25: 'fifo' is there twice; give one of them a label" 'scheduler: [fifo, easy, fifo]'
bad "bad.yaml:4:1: unknown key 'loads' in an experiment; did you mean 'load'?" 'scheduler: has' 'loads: 1'
bad "bad.yaml:4:13: load '0': a number above 0" 'scheduler: has' 'load: [0.5, 0]'
bad "bad.yaml:4:7: seed: '5..2' is no list of seeds" 'scheduler: has' 'seed: 5..2'
bad "bad.yaml:4:14: seed: 1 is there twice" 'scheduler: has' 'seed: [0..2, 1]'
bad "bad.yaml:4:9: window '4': expected rows of jobs" 'scheduler: has' 'window: 4'
bad "bad.yaml:4:9: window '0:501': demo has 500 jobs" 'scheduler: has' 'window: 0:501'
bad "bad.yaml:4:11: baseline 'easy' is none of the schedulers" 'scheduler: has' 'baseline: easy'
bad "bad.yaml:4:24: mem_error_sigma: 9 is out of range" 'scheduler: has' 'set: {mem_error_sigma: 9}'
bad "bad.yaml:4:23: 'max_queue': 'none' is not a number" 'scheduler: has' 'overload: {max_queue: none}'
bad "'scheduler' is missing" 'seed: 1'
printf 'trace: nowhere.csv\ncluster: sia-64\nscheduler: has\n' >bad.yaml
fails 3 'bad.yaml:1:8: nowhere.csv: ' sweep bad.yaml
printf 'trace: demo\ncluster: nowhere\nscheduler: has\n' >bad.yaml
fails 3 "bad.yaml:2:10: no file 'nowhere', and no bundled cluster" sweep bad.yaml
fails 2 "--shard wants i/n" sweep load.yaml --shard 4/3
fails 2 "unknown key 'consolidte'" sweep load.yaml --set consolidte=1
exit $failed
