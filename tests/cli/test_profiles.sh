#!/usr/bin/env bash
# --profiles: traces that name a profile in place of a run time, on invented tables; run times worked out by hand.
. "$SOURCE_DIR/tests/cli/lib.sh"
toys=$SOURCE_DIR/tests/invented_profiles

cat >two.yaml <<'Y'
gpu_types: {T4: {catalog: T4}, rtx: {catalog: RTX 2080 Ti}}
node_types: {a: {gpus: [{type: T4, count: 4}]}, r: {gpus: [{type: rtx, count: 2}]}}
pools: [{node_type: a, count: 1, prefix: a}, {node_type: r, count: 1, prefix: r}]
Y
cat >one.yaml <<'Y'
node_types: {a: {gpus: [{type: T4, count: 4}]}}
pools: [{node_type: a, count: 1, prefix: a}]
Y

# Target: 2 GPUs of a T4 node, batch 8: 10/3 of progress a second, so 30 s and 60 s an epoch after 30 s of start-up.
# From 7: work begins at 37, ends at 127. On 2 GPUs of rtx a step takes half: 15 + 30 s; begins at 38, ends at 83.
cat >target.csv <<'C'
job_id,submit_s,req_gpus,req_gpu_types,model,global_batch,work_kind
a,7,2,T4,toy,8,target
b,8,2,rtx,toy,8,target
C
fails 3 'with --profiles' replay target.csv --cluster two.yaml --scheduler fifo
works replay target.csv --cluster two.yaml --scheduler fifo --profiles "$toys" --jobs-csv jobs.csv
same 'targets' 'a,7,127
b,8,83' "$(tail -n +2 jobs.csv | cut -d, -f1,3,4)"

# SRTF: at 50 a has 77 of its 90 s left; c (10 s, all GPUs) stops it until 60. It starts again with 30 s without
# progress: 60 + 30 + 77 = 167.
cat >stop.csv <<'C'
job_id,submit_s,req_gpus,model,global_batch,work_kind,duration_s
a,7,2,toy,8,target,
c,50,4,,,,10
C
works replay stop.csv --cluster one.yaml --scheduler srtf --profiles "$toys" --jobs-csv jobs.csv
same 'stopped and started again' 'a,7,167
c,50,60' "$(tail -n +2 jobs.csv | cut -d, -f1,3,4)"

# Steps: 30 at 3 a second on 2 T4; 8 at 2 a second on one T4 or 4 on one rtx; 2 GPUs of rtx do not run it.
cat >steps.csv <<'C'
job_id,submit_s,req_gpus,req_gpu_types,model,steps,work_kind
a,0,2,,Toy (batch size 4),30,steps
b,0,1,T4,Toy (batch size 4),8,steps
c,0,1,rtx,Toy (batch size 4),8,steps
d,0,2,rtx,Toy (batch size 4),8,steps
C
works replay steps.csv --cluster two.yaml --scheduler fifo --profiles "$toys/throughputs.json" --jobs-csv jobs.csv
same 'steps' 'a,0,10,FINISHED
b,0,4,FINISHED
c,0,2,FINISHED
d,,,REJECTED' "$(tail -n +2 jobs.csv | cut -d, -f1,3-5)"

# Wrong tables, and tables that are none.
fails 3 "names the profile 'toy', which $toys/throughputs.json does not have" \
  replay target.csv --cluster two.yaml --scheduler fifo --profiles "$toys/throughputs.json"
fails 3 'no/such/folder' replay target.csv --cluster two.yaml --scheduler fifo --profiles no/such/folder
fails 3 'no folders' replay target.csv --cluster two.yaml --scheduler fifo --profiles "$toys/toy"

# The run is kept with the hash of its tables, and compare and sweep take them too.
works replay target.csv --cluster two.yaml --scheduler fifo --profiles "$toys" --out r.db
same 'the tables in the configuration' 1 "$(query r.db "SELECT count(*) FROM run WHERE config LIKE '%profiles=%'")"
works compare target.csv --cluster two.yaml --schedulers fifo,srtf --profiles "$toys"
cat >e.yaml <<Y
trace: target.csv
cluster: two.yaml
profiles: $toys
scheduler: [fifo, has]
out: s.db
Y
works sweep e.yaml
same 'runs of a sweep' 2 "$(query s.db 'SELECT count(*) FROM run')"
sed -i 's/profiles: .*/profiles: nowhere/' e.yaml
fails 3 'e.yaml:3:11' sweep e.yaml
exit $failed
