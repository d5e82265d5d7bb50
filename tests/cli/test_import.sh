#!/usr/bin/env bash
# frenzy import and frenzy cluster import: options, refusals, and what they write is read by replay.
. "$SOURCE_DIR/tests/cli/lib.sh"

# Lists without times.
printf 'name,cpu_milli,memory_mib,num_gpu,gpu_milli\na,1000,1024,1,1000\nb,1000,1024,0,0\nc,1000,1024,1,250\n' >list.csv
fails 3 'this list has no times' import openb list.csv --out t.csv
check 'nothing was written' test ! -e t.csv
works import openb list.csv --submit poisson:60 --out t.csv --json
json 'o["rows_kept"] == 2 and o["dropped"] == {"no GPU asked for": 1} and o["jobs"] == 2'
cp t.csv first.csv
works import openb list.csv --submit poisson:60 --seed 1 --out t.csv
check 'the same seed, the same trace' cmp t.csv first.csv
works import openb list.csv --submit poisson:60 --seed 2 --out t.csv
check 'another seed, another trace' sh -c '! cmp -s t.csv first.csv'
fails 2 '--seed has no effect without --submit' import openb list.csv --seed 2
fails 2 'such as poisson:120 is expected' import openb list.csv --submit 60
fails 2 'such as poisson:120 is expected' import openb list.csv --submit poisson:0
printf '1 10 5 100 8 -1 -1 8 200 -1 1 3 -1 -1 2 -1 -1 -1\n' >log.swf
fails 2 '--submit is for lists without times; a swf trace has its own' import swf log.swf --submit poisson:60

# CPU jobs, and shares of GPUs.
printf 'name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time
a,1000,1024,1,250,,LS,Failed,0,20,10\nb,1000,1024,0,0,,LS,Failed,0,20,10\nc,1000,1024,8,1000,G2,LS,Failed,5,30,10\n' >pods.csv
works import openb pods.csv --cpu-jobs --out pods-all.csv --json
json 'o["rows_kept"] == 3 and o["gpu_seconds"] == 10 * 0.25 + 20 * 8'
works import auto pods.csv --out pods-gpu.csv --json
json 'o["format"] == "openb" and o["rows_kept"] == 2'

# Attempts of jobs.
printf '[{"status": "Pass", "vc": "v", "jobid": "j", "user": "u", "submitted_time": "2017-10-07 01:00:00", "attempts": [
  {"start_time": "2017-10-07 01:00:05", "end_time": "2017-10-07 01:00:15", "detail": [{"ip": "a,b", "gpus": ["g0"]}, {"ip": "c", "gpus": ["g0", "g1"]}]},
  {"start_time": "2017-10-07 01:01:00", "end_time": null}]}]' >log.json
works import auto log.json --out log.csv --attempts attempts.csv --json
json 'o["format"] == "philly" and o["gpu_seconds"] == 30'
same 'attempts' 'job_id,attempt,start_s,end_s,node,gpus j,1,5,15,"a,b",1 j,1,5,15,c,2 j,2,60,,,0' "$(tr '\n' ' ' <attempts.csv | sed 's/ $//')"
fails 2 '--attempts has no effect: a swf trace tells no attempts' import swf log.swf --attempts a.csv
fails 2 'would replace log.csv' import philly log.json --out log.csv --attempts log.csv
fails 2 'both want standard output' import philly log.json --out - --attempts -

# The cluster.
printf 'sn,cpu_milli,memory_mib,gpu,model\nn0,96000,393216,8,G2\nn1,104000,524288,2,T4\nn2,32000,262144,0,\n' >nodes.csv
works cluster import openb nodes.csv --out openb.json --json
json '(o["schema"], o["format"], o["gpus"], o["nodes"]) == ("frenzy-cluster-import-1", "openb", 10, 2)'
json '[t["mem_bytes"] for t in o["gpu_types"]][0] is None'
works cluster openb.json
works cluster import openb nodes.csv --out -
check 'standard output is the file' cmp out openb.json
for trace in pods-all.csv pods-gpu.csv; do
  works replay $trace --cluster openb.json --scheduler fifo --json
  json 'o["jobs"] == 2 and o["finished"] == 2 and o["gpu_shares_rounded_up"] == 1'
  says 'ask for shares of GPUs'
done
works cluster import gavel 36:36:36 --out gavel.json
works cluster import gavel 36:36:36 --gpus-per-node 1 --out one.json --json
json 'o["nodes"] == 108'
fails 2 "did you mean 'openb'" cluster import opneb nodes.csv
fails 2 'something is missing' cluster import openb
fails 2 'takes at most 1 file' cluster import openb nodes.csv nodes.csv
fails 2 '--gpu has no effect' cluster import openb nodes.csv --gpu T4
fails 2 '--epoch has no effect' cluster import openb nodes.csv --epoch 2020-04-01T00:00:00
printf 'date,va,vb,total\n2020-04-01,8,0,8\n2020-04-02,8,16,24\n' >days.csv
works cluster import helios days.csv --gpu v100 --epoch 2020-04-01T12:00:00 --out days.json
check 'the change is half a day later' grep -qF '"t_s": 43200, "kind": "quota", "vc": "vb", "gpus": 16' days.json
works cluster days.json
fails 2 'is no time' cluster import helios days.csv --epoch tomorrow
fails 2 '--gpus-per-node has no effect' cluster import openb nodes.csv --gpus-per-node 4
fails 2 'would replace nodes.csv' cluster import openb nodes.csv --out nodes.csv
fails 2 '--out is an option of frenzy cluster import' cluster small --out x.json
fails 2 'one cluster file is expected' cluster small small
fails 2 'both want standard output' cluster import openb nodes.csv --out - --json
fails 3 'no.csv: cannot open' cluster import openb no.csv
printf 'sn,cpu_milli,memory_mib,gpu,model\nn0,96000,393216,8,\n' >bad.csv
fails 3 'bad.csv:2:' cluster import openb bad.csv --out bad.json
check 'nothing was written' test ! -e bad.json
# Several files of one format are one trace; ids that repeat get a number; what is dropped goes beside the output.
printf 'a\tc\tn\t1\t100\t0\t1\nb\tc\tn\t1\tmany\t5\t2\n' > one.trace
printf 'c\tc\tn\t1\t300\t7\t4\n' > two.trace
works import gavel one.trace two.trace --out both.csv
prints '3 rows read, 2 kept'
same 'jobs of both' '1,0,1,a,100,steps|1#2,7,4,c,300,steps|' "$(grep -v '^#\|^job_id' both.csv | tr '\n' '|')"
same 'rejected rows' 'file,line,reason,row|one.trace,2,total_steps: '"'many'"' is not a number; a number of at least 0 is expected,"b,c,n,1,many,5,2"|' \
  "$(tr '\n' '|' < both.rejected.csv)"
works import auto two.trace --out both.csv
check 'no rows rejected: no file of them' test ! -e both.rejected.csv
works import gavel one.trace
check 'no output: no file of rejected rows' test ! -e one.rejected.csv
fails 3 'one.trace:2:9' import gavel two.trace one.trace --bad-rows fail --out none.csv
check 'nothing written' test ! -e none.csv
check 'nor rejected rows' test ! -e none.rejected.csv
printf 'name,time,application,num_replicas,batch_size\nx,0,y,1,8\n' > sia.csv
fails 2 'sia.csv is a sia trace, the files before are of gavel' import auto two.trace sia.csv --out none.csv
fails 2 'is for one file at a time' import openb two.trace sia.csv --submit poisson:10
printf 'name,time,application,num_replicas,batch_size,submit_s\nx,0,y,1,8,0\n' > twice.csv
fails 3 'may be a canonical or a sia trace; say which' import auto twice.csv
exit $failed
