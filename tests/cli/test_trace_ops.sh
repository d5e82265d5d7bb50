#!/usr/bin/env bash
# frenzy trace cut, scale, sample, filter, merge, map-gpus, models: small traces whose answer is plain.
. "$SOURCE_DIR/tests/cli/lib.sh"

cat >t.csv <<'T'
# epoch: 2020-01-01T00:00:00
job_id,submit_s,duration_s,req_gpus,req_gpu_types,deadline_s,vc,state,start_s,end_s,x_note
a,0,100,1,T4,500,red,COMPLETED,10,110,first
b,100,200,8,T4|V100,,red,FAILED,110,310,
c,200,50.5,2,,900,blue,COMPLETED,200,250.5,"with, comma"
d,300,60,8,v100,,,CANCELLED,300,360,last
T
cp t.csv before.csv
rows() { grep -v '^#' "$1" | tail -n +2; } # the jobs of a trace
ids() { rows "$1" | cut -d, -f1 | tr '\n' ' '; }
sha=$(sha256sum t.csv | cut -c1-16)

# cut: from 100 on, before 300; --zero moves times, deadlines and the epoch
works trace cut t.csv --from 100 --to 300 --out cut.csv
same 'cut' 'b c ' "$(ids cut.csv)"
check 'history of a cut' grep -qxF "# history: trace cut --from 100 --to 300; of sha256 $sha" cut.csv
works trace cut t.csv --from 100 --zero
same 'cut --zero' 'b,0,200,8,T4|V100,,red,FAILED,10,210,
c,100,50.5,2,,800,blue,COMPLETED,100,150.5,"with, comma"
d,200,60,8,v100,,,CANCELLED,200,260,last' "$(rows out)"
prints '# epoch: 2020-01-01T00:01:40'
works trace cut t.csv --from 2020-01-01T00:01:40 --to 5m --out wall.csv
same 'wall time and units' 'b c ' "$(ids wall.csv)"
works trace cut cut.csv --to 0.05h --out twice.csv
same 'two lines of history' 2 "$(grep -c '^# history: ' twice.csv)"
fails 2 'is no time' trace cut t.csv --from 3parsec
fails 2 'must begin at 0 or later' trace cut t.csv --from 5 --to 5
fails 2 'no job is left' trace cut t.csv --from 1d
fails 2 '--from TIME or --to TIME is missing' trace cut t.csv
fails 2 'would replace t.csv' trace cut t.csv --to 5 --out t.csv
printf 'job_id,submit_s,duration_s,req_gpus\na,0,1,1\n' >plain.csv
fails 2 'the trace has no epoch' trace cut plain.csv --from 2020-01-01T00:00:00

# scale: submit and deadline move together; start and end are dropped
works trace scale t.csv --factor 0.5
same 'scale' 'a,0,100,1,T4,500,red,COMPLETED,first
b,50,200,8,T4|V100,,red,FAILED,
c,100,50.5,2,,800,blue,COMPLETED,"with, comma"
d,150,60,8,v100,,,CANCELLED,last' "$(rows out)"
# 100 + 1600 + 101 + 480 = 2281 GPU-seconds in 300 s on 8 GPUs are 0.9504; a load of 0.5 takes 1.9008 times as long
printf 'node_types: {n: {gpus: [{type: t4, count: 8}]}}\npools: [{node_type: n, count: 1}]\n' >c.yaml
works trace scale t.csv --load 0.5 --cluster c.yaml --out half.csv
says 'load 0.9504 on c becomes 0.5: times between submissions x 1.90083'
works trace check half.csv --cluster c.yaml --json
json 'abs(o["load"] - 0.5) < 1e-6'
fails 2 'go together' trace scale t.csv --load 1
fails 2 'one of --factor F and --load X' trace scale t.csv

# sample: 40 jobs of 1 GPU and VC r, 20 of 1 GPU and VC b, 20 of 8 GPUs and VC b; a quarter is 10, 5 and 5
{
  echo 'job_id,submit_s,duration_s,req_gpus,vc'
  for i in $(seq 0 79); do
    if [ "$i" -lt 40 ]; then echo "j$i,$i,1,1,r"; elif [ "$i" -lt 60 ]; then echo "j$i,$i,1,1,b"; else echo "j$i,$i,1,8,b"; fi
  done
} >many.csv
works trace sample many.csv --share 0.25 --out s1.csv
same 'strata' '10 5 5' "$(rows s1.csv | awk -F, '{c[$4 $5]++} END {print c["1r"], c["1b"], c["8b"]}')"
works trace sample many.csv --jobs 20 --out s2.csv
check 'the same sample' cmp s1.csv s2.csv
works trace sample many.csv --jobs 20 --seed 2 --out s3.csv
check 'another seed, another sample' test "$(ids s1.csv)" != "$(ids s3.csv)"
works trace sample many.csv --jobs 7 --by gpus --out s4.csv # 60 and 20 of 80: 5.25 and 1.75
same 'largest remainders' '5 2' "$(rows s4.csv | awk -F, '{c[$4]++} END {print c[1], c[8]}')"
works trace sample many.csv --share 1 --by none --out all.csv
same 'all of it' "$(rows many.csv)" "$(rows all.csv)"
fails 2 'out of range' trace sample many.csv --jobs 81
fails 2 'is none of gpus' trace sample many.csv --jobs 8 --by size

# filter
filter() { works trace filter t.csv "${@:2}" --out f.csv; same "filter ${*:2}" "$1" "$(ids f.csv)"; rm -f f.csv; }
filter 'b d ' --where 'gpus>=8'
filter 'b d ' --where req_gpus=8
filter 'd ' --where 'gpus>=8' --where 'vc='
filter 'a b c ' --where 'vc!='
filter 'c ' --where vc=blue
filter 'a b ' --where 'vc!=blue'
filter 'a c ' --where state=COMPLETED
filter 'c ' --where 'duration<60'
filter 'c d ' --where 'submit>100'
filter 'a b c ' --where 'submit_s<=200'
filter 'b ' --where 'req_gpu_types=T4|V100'
filter 'a ' --where x_note=first
filter 'c ' --where 'deadline>500'
fails 2 "did you mean 'COMPLETED'?" trace filter t.csv --where state=COMPLETE
fails 2 "there is no column 'colour'" trace filter t.csv --where colour=red
fails 2 'is a text; only = and != are possible' trace filter t.csv --where 'vc>a'
fails 2 "'many' is not a number" trace filter t.csv --where gpus=many
fails 2 'is no condition' trace filter t.csv --where gpus
fails 2 'no job is left' trace filter t.csv --where 'gpus>8'
fails 2 '--where CONDITION is missing' trace filter t.csv

# merge: an hour between the epochs; `a` and `b` twice
sed 's/T00:00:00/T01:00:00/' t.csv | sed '/^c,/d' | sed '/^d,/d' >later.csv
works trace merge later.csv t.csv --out both.csv
same 'merge' 'a#2,0 b#2,100 c,200 d,300 a,3600 b,3700 ' "$(rows both.csv | cut -d, -f1,2 | tr '\n' ' ')"
check 'the earliest epoch' grep -qxF '# epoch: 2020-01-01T00:00:00' both.csv
check 'deadlines move too' grep -q '^a,3600,.*,4100,red' both.csv
says "2 ids that were there before got a number"
works trace check both.csv
fails 2 'only 1 of 2 traces have a line' trace merge t.csv plain.csv
works trace merge plain.csv many.csv plain.csv --out three.csv
same 'without epochs' 82 "$(rows three.csv | wc -l)"
same 'a third of a name' 1 "$(grep -c '^a#2,' three.csv)"

# map-gpus
works trace map-gpus t.csv --map V100=A100 --map t4=V100 --map x=y
says '--map x=y has no effect'
same 'types' 'V100 V100|A100  A100 ' "$(rows out | cut -d, -f5 | tr '\n' ' ')"
works trace map-gpus t.csv --map T4=V100
same 'two names become one' 'V100 V100  v100 ' "$(rows out | cut -d, -f5 | tr '\n' ' ')"
fails 2 'is not OLD=NEW' trace map-gpus t.csv --map T4

# models: reproducible, by seed and id; an assumption that a replay repeats
works trace models t.csv --out m1.csv
says 'assumed: models of 4 jobs, drawn from the mix llm-by-size'
works trace models t.csv --seed 1 --out m2.csv
check 'the same models' cmp m1.csv m2.csv
works trace filter t.csv --where 'submit>0' --out tail.csv
works trace models tail.csv --out m3.csv
model_of() { python3 -c 'import csv,sys
for r in csv.DictReader(l for l in open(sys.argv[1]) if l[0] != "#"):
    if r["job_id"] == "b": print(r["model"], r["steps"], r["global_batch"], r["seq_len"], r.get("duration_s"), r["x_observed_s"], r["req_gpus"])' "$1"; }
same 'a job keeps its model in another trace' "$(model_of m1.csv)" "$(model_of m3.csv)"
check 'the duration is kept aside' grep -q 'None 200 8$' <(model_of m1.csv)
works replay m1.csv --cluster sia-64 --scheduler has
says 'assumed: models of 4 jobs'
works replay m1.csv --cluster sia-64 --scheduler has --json
json 'len(o["assumed"]) == 1 and "llm-by-size" in o["assumed"][0]'
works compare m1.csv --cluster sia-64 --schedulers has,fifo --json
json 'len(o["assumed"]) == 1 and "llm-by-size" in o["assumed"][0]'
fails 2 "did you mean 'llm-small'?" trace models t.csv --mix llm-smal
printf 'format: frenzy-mix\nname: m\ngpu_tflops: 1\nclasses: [{models: [{model: gpt9, share: 1, seq_lens: [1], batches: [1]}]}]\n' >bad.yaml
fails 3 'bad.yaml:4:29:' trace models t.csv --mix bad.yaml

works import canonical t.csv --models llm-by-size --out m4.csv
check 'the same models on import' cmp m1.csv m4.csv
fails 3 'bad.yaml:4:29:' import canonical t.csv --models bad.yaml --out m5.csv
check 'nothing written' test ! -e m5.csv

check 'the trace is as it was' cmp t.csv before.csv
works trace cut t.csv --to 150 --out j.csv --json
json 'o == {"schema": "frenzy-trace-cut-1", "jobs": 2, "out": "j.csv"}'
fails 2 'both want standard output' trace cut t.csv --to 150 --json

# Export: users and queues that are texts become numbers, what is not known -1; losses are said.
cat >jobs.csv <<'T'
# epoch: 2020-01-01T08:00:00
# utc_offset: +08:00
job_id,submit_s,duration_s,req_gpus,req_workers,req_mem,req_gpu_types,limit_s,user,vc,state,start_s,model,seq_len,global_batch,steps
a,0,10.5,4,,8,V100,100,bob,red,COMPLETED,2,,,,
b,3,20,0.5,1,,,,amy,,TIMEOUT,,,,,
c,7,,2,,,,,bob,7,CANCELLED,,gpt2,1024,8,10
T
works trace export jobs.csv --out jobs.swf
same 'jobs' '1 0 2 10.5 -1 -1 -1 4 100 2097152 1 1 -1 -1 1 -1 -1 -1|2 3 -1 20 -1 -1 -1 1 -1 -1 0 2 -1 -1 -1 -1 -1 -1|3 7 -1 -1 -1 -1 -1 2 -1 -1 5 1 -1 -1 2 -1 -1 -1|' \
  "$(grep -v '^;' jobs.swf | tr '\n' '|')"
check 'clock' grep -qx '; UnixStartTime: 1577836800' jobs.swf # date -u -d '2020-01-01T00:00:00Z' +%s
check 'zone' grep -qx '; TimeZone: 28800' jobs.swf
check 'jobs without a run time are said' grep -q '1 jobs have no run time' err
check 'shares are said' grep -q '1 jobs ask for shares' err
check 'types are said' grep -q 'no GPU types and no models' err
works trace export jobs.csv
check 'standard output' cmp out jobs.swf
fails 2 "'pbs' cannot be written" trace export jobs.csv --format pbs
fails 2 'would replace jobs.csv' trace export jobs.csv --out jobs.csv
fails 1 'no/folder' trace export jobs.csv --out no/folder/jobs.swf
exit $failed
