#!/usr/bin/env bash
# --json of every command: one object with its schema and its keys; data on stdout only.
. "$SOURCE_DIR/tests/cli/lib.sh"
printf 'job_id,submit_s,req_gpus,duration_s\na,0,1,10\nb,5,x,1\n' >bad.csv
printf 'job_id,submit_s,req_gpus,duration_s\na,0,1,10\n' >t.csv

# has KEYS: exactly these keys, in this order
has() { json "list(o) == '$1'.split()"; }

works replay t.csv --cluster small --scheduler fifo --json
has 'schema scheduler seed trace_sha256 cluster cluster_sha256 jobs finished rejected timeouts oom_failed unfinished queue_avg_s wait_avg_s jct_avg_s jct_p50_s jct_p90_s jct_p95_s jct_p99_s jct_max_s makespan_s alloc_frac ooms preemptions starts decisions events sized_by_marp gpu_shares_rounded_up estimate cost'
json 'list(o["cost"]) == "wall_s engine_s jobs_per_s decide_ms_p50 decide_ms_p99 decide_ms_mean decide_ms_max peak_rss_bytes".split()'
json 'all(type(v) in (int, float) and v >= 0 for v in o["cost"].values()) and o["cost"]["peak_rss_bytes"] > 1e6'
json "o['trace_sha256'] == '$(sha256sum t.csv | cut -d' ' -f1)' and o['cluster'] == 'small' and o['seed'] == 0"

# What does not exist is null, not 0: no job finished, so there is no completion time.
printf 'job_id,submit_s,req_gpus,duration_s\na,0,999,10\n' >large.csv
works replay large.csv --cluster small --scheduler fifo --json
json '(o["rejected"], o["finished"], o["jct_avg_s"], o["jct_p99_s"], o["queue_avg_s"], o["makespan_s"]) == (1, 0, None, None, None, None)'

works compare t.csv --cluster small --schedulers fifo,easy --json
has 'schema trace_sha256 cluster cluster_sha256 seeds schedulers sentence'
json 'o["schema"] == "frenzy-compare-1" and [s["name"] for s in o["schedulers"]] == ["fifo", "easy"]'
json '"jct_avg_against_first" not in o["schedulers"][0] and o["schedulers"][1]["jct_avg_against_first"]["kind"] == "single"'

works demo --out d.db --json
json 'o["schema"] == "frenzy-compare-1" and [s["finished"] for s in o["schedulers"]] == [500] * 4'
check 'the demo left no results folder' test ! -e results

works plan --model llama-2-7b --batch 4 --seq 2048 --gpu a100-80g --estimator paper --json
has 'schema model estimator params active_params plans rejected'
json 'list(o["plans"][0]) == "gpu n d t p zero plan need_bytes usable_bytes fits parts tokens_per_s speed_origin".split()'
json '(o["plans"][0]["plan"], o["plans"][0]["n"]) == ("d1t4p1z0", 4)'

code=0
"$FRENZY" plan --model llama-2-70b --batch 4 --seq 2048 --gpu t4 --estimator paper --json >out 2>err || code=$?
same 'fits nowhere: exit code' 6 $code
json 'o["plans"] == [] and len(o["rejected"]) > 0 and all(r["why"] for r in o["rejected"])'

works cluster small --json
has 'schema name gpus nodes sha256 gpu_types note'
json '(o["schema"], o["gpus"], o["nodes"], len(o["gpu_types"])) == ("frenzy-cluster-1", 32, 6, 4)'

works schedulers has --json
has 'schema schedulers world'
json '[p["name"] for p in o["schedulers"][0]["parameters"]] == ["plan_pick", "order"]'
json '"mem_error_sigma" in [p["name"] for p in o["world"]]'

works import canonical t.csv --json
has 'schema format rows_read rows_kept dropped changed noted jobs first_submit_s last_submit_s gpu_seconds'
json 'o["schema"] == "frenzy-import-1" and o["gpu_seconds"] == 10'

works trace check t.csv --json
has 'schema rows_read rows_kept dropped changed noted jobs first_submit_s last_submit_s gpu_seconds sha256 findings peak_gpus'
json 'o["schema"] == "frenzy-trace-check-1"'
json '[f["key"] for f in o["findings"]] == ["no_user", "no_vc", "no_state", "no_epoch"]'
works trace check t.csv --cluster small --json
has 'schema rows_read rows_kept dropped changed noted jobs first_submit_s last_submit_s gpu_seconds sha256 findings peak_gpus load above_frac types'
json 'o["load"] is None and o["peak_gpus"] == 1' # one job has no span
code=0
"$FRENZY" trace check bad.csv --json >out 2>err || code=$?
same 'a bad row: exit code' 3 $code
json '(o["rows_read"], o["rows_kept"], sum(o["dropped"].values())) == (2, 1, 1)'

works trace stats t.csv --json
has 'schema sha256 epoch jobs cpu_jobs serverless gpu_s mean_gpus arrivals durations sizes states classes vcs users'
json '(o["schema"], o["jobs"], len(o["arrivals"]["hours_frac"])) == ("frenzy-trace-stats-1", 1, 24)'
works trace stats t.csv
prints 'durations (s), lognormal fit'

works trace generate llm --jobs 3 --out g.csv --json
has 'schema jobs out'
json '(o["schema"], o["jobs"], o["out"]) == ("frenzy-trace-generate-1", 3, "g.csv")'

works doctor --json
has 'schema version libraries cuda_present cuda_driver_version'
exit $failed
