#!/usr/bin/env bash
# The rows of --jobs-csv: every format and every way to end, worked out by hand.
. "$SOURCE_DIR/tests/cli/lib.sh"
jobs() { works replay "$@" --jobs-csv jobs.csv; } # TRACE OPTIONS...
row() { grep "^$1," jobs.csv; }

# Four nodes of 8 GPUs. a, b, c fill the first three, d half of the fourth; a ends at 10 and e takes its node and
# the other half of the fourth: nodes in node order, with a gap. f ends before d to the microsecond.
cat >four.yaml <<'Y'
format: frenzy-cluster
version: 1
name: four
gpu_types: {A100-40: {catalog: A100-SXM4-40GB}}
node_types: {box: {gpus: [{type: A100-40, count: 8}]}}
pools: [{node_type: box, count: 4, prefix: n-}]
Y
cat >gap.csv <<'C'
job_id,submit_s,req_gpus,duration_s
a,0,8,10
b,0,8,1000
c,0,8,1000
d,0,4,1000
e,1.5,12,0.123456
f,20.100000,1,0.000001
"g,""h""",30,1,2.50
C
jobs gap.csv --cluster four.yaml --scheduler fifo
same 'nodes, types, times and quotes' 'job_id,submit_s,start_s,end_s,state,gpus,gpu_types,nodes,plan,attempts,wait_s,gpu_s
a,0,0,10,FINISHED,8,A100-40:8,n-0:8,,1,0,80
b,0,0,1000,FINISHED,8,A100-40:8,n-1:8,,1,0,8000
c,0,0,1000,FINISHED,8,A100-40:8,n-2:8,,1,0,8000
d,0,0,1000,FINISHED,4,A100-40:4,n-3:4,,1,0,4000
e,1.5,10,10.123456,FINISHED,12,A100-40:12,n-0:8|n-3:4,,1,8.5,1.481472
f,20.1,20.1,20.100001,FINISHED,1,A100-40:1,n-3:1,,1,0,0.000001
"g,""h""",30,30,32.5,FINISHED,1,A100-40:1,n-3:1,,1,0,2.5' "$(cat jobs.csv)"

# 8 GPUs of 60 GiB. LLaMA-2 7B, batch 4, 2048 tokens: of the plans with 8 GPUs d1t8 and d2t4 fit, d4t2 needs 78 GiB;
# they rank by memory, so the last that fits is d2t4. The first of all is then d1t8: with 4 GPUs it needs 67 GiB.
sed 's/A100-SXM4-40GB/A100-SXM4-80GB, mem_gib: 60/; s/count: 4,/count: 1,/' four.yaml >one.yaml
printf 'job_id,submit_s,model,seq_len,global_batch,steps\na,0,llama-2-7b,2048,4,10\n' >llm.csv
jobs llm.csv --cluster one.yaml --scheduler has
same 'plan_pick=first' d1t8p1z0 "$(row a | cut -d, -f9)"
jobs llm.csv --cluster one.yaml --scheduler has --set plan_pick=last
same 'plan_pick=last' d2t4p1z0 "$(row a | cut -d, -f9)"

# Fast GPUs of 16 GiB and slow ones of 31. GPT-2 XL needs 29 GiB for weights, gradients and optimizer alone: the user's
# one GPU runs out of memory on the fast type after 60 s, and the job starts again at once on the larger one.
cat >memory.yaml <<'Y'
format: frenzy-cluster
version: 1
name: memory
gpu_types: {fast: {catalog: A100-SXM4-80GB, mem_gib: 16}, large: {catalog: V100-SXM2-32GB}}
node_types: {f: {gpus: [{type: fast, count: 4}]}, l: {gpus: [{type: large, count: 4}]}}
pools: [{node_type: f, count: 1, prefix: f-}, {node_type: l, count: 2, prefix: l-}]
Y
printf 'job_id,submit_s,req_gpus,model,seq_len,global_batch,steps\na,5,1,gpt2-xl,128,1,1000\n' >oom.csv
works cluster memory.yaml --json
# step = 72 B s l h^2 (1 + s/(6h) + V/(12 l h)) over the rate, with s = 128, l = 48, h = 1600, V = 50257
run=$(python3 -c '
import json, math
rate = json.load(open("out"))["gpu_types"][1]["flops_per_s"]
step = 72 * 128 * 48 * 1600**2 * (1 + 128 / 9600 + 50257 / (12 * 48 * 1600)) / rate
print(math.ceil(1000 * step * 1e6) / 1e6)')
second() { python3 -c "print(f'{$1:.6f}'.rstrip('0').rstrip('.'))"; }
jobs oom.csv --cluster memory.yaml --scheduler opportunistic
same 'two attempts' "a,5,5,$(second "65 + $run"),FINISHED,1,large:1,l-0:1,d1t1p1z0,2,0,$(second "60 + $run")" "$(row a)"
jobs oom.csv --cluster memory.yaml --scheduler opportunistic --set oom_after_s=100.5 --set restart_s=30
same 'two attempts, a slow restart' \
  "a,5,5,$(second "135.5 + $run"),FINISHED,1,large:1,l-0:1,d1t1p1z0,2,0,$(second "130.5 + $run")" "$(row a)"
jobs oom.csv --cluster memory.yaml --scheduler opportunistic --json
json '(o["ooms"], o["starts"], o["finished"]) == (1, 2, 1)'

# 1,024 tokens a sequence and a batch of 64 fit on no number of these GPUs: the job is given up, and has an end.
printf 'job_id,submit_s,req_gpus,model,seq_len,global_batch,steps\na,5,4,gpt2-xl,1024,64,10\n' >never.csv
jobs never.csv --cluster memory.yaml --scheduler opportunistic
says '1 jobs ran out of memory on everything that could be tried'
same 'given up' OOM "$(row a | cut -d, -f5)"

# A limit that is enforced, and one that is not.
printf 'job_id,submit_s,req_gpus,duration_s,limit_s\na,5,2,100,20.25\n' >limit.csv
jobs limit.csv --cluster four.yaml --scheduler fifo --set enforce_limit=1
same 'a limit' 'a,5,5,25.25,TIMEOUT,2,A100-40:2,n-0:2,,1,0,40.5' "$(row a)"
says '1 jobs were ended by their limit'
jobs limit.csv --cluster four.yaml --scheduler fifo
same 'no limit' 'a,5,5,105,FINISHED,2,A100-40:2,n-0:2,,1,0,200' "$(row a)"
exit $failed
