#!/usr/bin/env bash
# frenzy replay: tiny traces whose outcome is worked out by hand, every output, every key.
. "$SOURCE_DIR/tests/cli/lib.sh"

# Two nodes of 4 GPUs. FIFO: a takes node n-0 whole; b (6 GPUs) must wait until a ends at 10.5; c waits behind
# b although it would fit, and starts with the 2 GPUs that b leaves.
cat >two.yaml <<'Y'
format: frenzy-cluster
version: 1
name: two
gpu_types: {A100-40: {catalog: A100-SXM4-40GB, mem_gib: 40}}
node_types: {box: {gpus: [{type: A100-40, count: 4}]}}
pools: [{node_type: box, count: 2, prefix: n-}]
Y
cat >trace.csv <<'C'
job_id,submit_s,req_gpus,duration_s
a,0,4,10.5
b,1,6,20
c,2.25,1,1
d,3,9,5
C
works replay trace.csv --cluster two.yaml --scheduler fifo --jobs-csv jobs.csv --out r.db --json
same 'the CSV of jobs' "job_id,submit_s,start_s,end_s,state,gpus,gpu_types,nodes,plan,attempts,wait_s,gpu_s
a,0,0,10.5,FINISHED,4,A100-40:4,n-0:4,,1,0,42
b,1,10.5,30.5,FINISHED,6,A100-40:6,n-0:2|n-1:4,,1,9.5,120
c,2.25,10.5,11.5,FINISHED,1,A100-40:1,n-0:1,,1,8.25,1
d,3,,,REJECTED,,,,,0,," "$(cat jobs.csv)"
says '1 of 4 jobs fit nowhere'
json 'o["schema"] == "frenzy-replay-1"'
json '[o[k] for k in ("jobs", "finished", "rejected", "unfinished", "ooms", "preemptions")] == [4, 3, 1, 0, 0, 0]'
# JCT 10.5, 29.5, 9.25: mean 16.416666..., median 10.5 (2nd of 3), p99 the 3rd
json 'abs(o["jct_avg_s"] - 49.25 / 3) < 1e-9 and o["jct_p50_s"] == 10.5 and o["jct_p99_s"] == 29.5'
json 'abs(o["queue_avg_s"] - 17.75 / 3) < 1e-9 and o["makespan_s"] == 30.5'
json 'abs(o["alloc_frac"] - 163 / (8 * 30.5)) < 1e-12'
json 'o["decisions"] == 7 and o["estimate"] == "oracle"' # at t = 0, 1, 2.25, 3, 10.5, 11.5, 30.5
json 'set(("wall_s", "engine_s", "jobs_per_s", "decide_ms_p50", "decide_ms_p99", "peak_rss_bytes")) <= set(o["cost"])'
same 'v_job' "a|0.0|0.0|10.5|FINISHED|4|A100-40:4|n-0:4||1|0.0|42.0
b|1.0|10.5|30.5|FINISHED|6|A100-40:6|n-0:2|n-1:4||1|9.5|120.0
c|2.25|10.5|11.5|FINISHED|1|A100-40:1|n-0:1||1|8.25|1.0
d|3.0|||REJECTED|||||0||0.0" "$(query r.db 'SELECT job_id, submit_s, start_s, end_s, state, gpus, gpu_types, nodes, plan, attempts, wait_s, gpu_s FROM v_job ORDER BY row')"
same 'v_summary' 'fifo|4|3|1|30.5' "$(query r.db 'SELECT scheduler, jobs, finished, rejected, makespan_s FROM v_summary')"
same 'v_run' "fifo|0|two|8|$(sha256sum two.yaml | cut -d' ' -f1)|$(sha256sum trace.csv | cut -d' ' -f1)" \
  "$(query r.db 'SELECT scheduler, seed, cluster, gpus, cluster_sha256, trace_sha256 FROM v_run')"
same 'STRICT tables' 0 "$(query r.db "SELECT count(*) FROM pragma_table_list WHERE type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite%'")"

# A second run in the same database shares trace and cluster.
works replay trace.csv --cluster two.yaml --scheduler sjf --out r.db
same 'stored once' '1|1|2|4' "$(query r.db 'SELECT (SELECT count(*) FROM trace), (SELECT count(*) FROM cluster), (SELECT count(*) FROM run), (SELECT count(*) FROM trace_job)')"

# The summary is one line.
works replay trace.csv --cluster two.yaml --scheduler easy
same 'one line' 1 "$(wc -l <out)"
for word in 'easy' 'avg JCT' 'p50' 'p99' 'queue' 'makespan' 'alloc' 'OOM' 'preemptions' 'ms/decision' 'jobs/s'; do prints "$word"; done

# At t = 2 the nodes have 2 and 1 idle GPUs. y (3 GPUs) starts at once on both, or with consolidate=1 waits until
# one node holds it: a ends at 10.
printf 'job_id,submit_s,req_gpus,duration_s\na,0,2,10\nb,0,3,20\ny,2,3,5\n' >split.csv
works replay split.csv --cluster two.yaml --scheduler fifo --jobs-csv loose.csv
works replay split.csv --cluster two.yaml --scheduler fifo --set consolidate=1 --jobs-csv tight.csv
same 'without consolidate' '2 n-0:2|n-1:1' "$(awk -F, '$1 == "y" { print $3, $8 }' loose.csv)"
same 'with consolidate' '10 n-0:3' "$(awk -F, '$1 == "y" { print $3, $8 }' tight.csv)"

# An LLM job under has: MARP's plan in the CSV.
works replay demo --cluster sia-64 --scheduler has --jobs-csv llm.csv
check 'plans' grep -qE ',d[0-9]+t[0-9]+p1z0,' llm.csv

# More GPUs than fit into 16 bits: an LLM job of 70,001 runs on 100,000.
printf 'node_types: {n: {gpus: [{type: a100-80g, count: 8}]}}\npools: [{node_type: n, count: 12500}]\n' >huge.yaml
printf 'job_id,submit_s,req_gpus,model,global_batch,seq_len,steps\na,0,70001,gpt2,100000,128,10\n' >huge.csv
works replay huge.csv --cluster huge.yaml --scheduler fifo --jobs-csv huge-jobs.csv
same 'its plan' 'FINISHED 70001 d70001t1p1z0' "$(awk -F, '$1 == "a" { print $5, $6, $9 }' huge-jobs.csv)"
exit $failed
