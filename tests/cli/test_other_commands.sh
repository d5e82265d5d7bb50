#!/usr/bin/env bash
# plan, schedulers, cluster, trace, doctor, help, version.
. "$SOURCE_DIR/tests/cli/lib.sh"

for command in plan replay compare import trace cluster schedulers demo doctor; do
  works "$command" --help
  check "$command: examples come first" grep -qm1 examples <(head -n 3 out)
  works "$command" -h
  works help "$command"
done
works help
prints 'start here: frenzy demo'
works --version
prints 'frenzy 0.'
fails 2 'usage: frenzy'

# GPT-2 XL, batch 8, sequence 1024, by the golden table of the published formula: 1,555,969,600 parameters; t = 1 and
# d = 4 need 49.050e9 bytes, too many for 40 GiB; t = 5 and d = 1 need 25.602e9 on 5 GPUs: the first plan that fits.
works plan --model gpt2-xl --batch 8 --seq 1024 --gpu a100-40g --json
json 'o["schema"] == "frenzy-plan-1" and o["params"] == 1555969600'
json '(o["plans"][0]["n"], o["plans"][0]["t"], o["plans"][0]["d"]) == (5, 5, 1)'
json 'abs(o["plans"][0]["need_bytes"] / 1e9 - 25.602) < 0.001'
json 'abs(sum(o["plans"][0]["parts"].values()) - o["plans"][0]["need_bytes"]) < 2'
json 'any("over" in r["why"] for r in o["rejected"])'
works plan --model llama-2-7b --batch 4 --seq 2048 --gpu a100-80g --gpu v100-32g
prints 'why not'
works plan --model bert-base --batch 32 --seq 512 --cluster sia-64
code=0
"$FRENZY" plan --model llama-2-70b --batch 4 --seq 2048 --gpu t4 >out 2>err || code=$?
same 'fits nowhere: exit code' 6 $code
check 'fits nowhere: words' grep -q 'fits nowhere' err
fails 3 "did you mean 'llama-2-7b'?" plan --model llama-2-7c --batch 1 --seq 1
fails 2 'is not in the catalog' plan --model gpt2 --batch 1 --seq 1 --gpu b9000
fails 2 '--batch N is missing' plan --model gpt2 --seq 1
fails 2 'out of range' plan --model gpt2 --batch 0 --seq 1

works schedulers
for name in has opportunistic fifo fifo_skip sjf easy; do check "lists $name" grep -q "^$name " out; done
works schedulers has
prints 'plan_pick'
works schedulers --json
json 'len(o["schedulers"]) == 6 and o["schema"] == "frenzy-schedulers-1"'

for name in small workstation sia-64 gavel-108 uniform-512 mixed-10k; do works cluster "$name"; done
works cluster mixed-10k --json
json 'o["gpus"] == 10000'
printf '{"format": "frenzy-cluster", "version": 1, "pools": [{"node_type": "x", "cout": 2}]}' >bad.json
fails 3 'bad.json:1:' cluster bad.json

works trace generate llm --jobs 50 --seed 7 --out a.csv
works trace generate llm --jobs 50 --seed 7 --out b.csv
check 'the same bytes' cmp a.csv b.csv
works trace check a.csv --json
json 'o["rows_read"] == 50 and o["rows_kept"] == 50'
printf 'job_id,submit_s,req_gpus,duration_s\na,0,1,x\nb,1,1,1\n' >t.csv
code=0
"$FRENZY" trace check t.csv >out 2>err || code=$?
same 'a bad row: exit code' 3 $code
check 'a bad row: its line' grep -q 'line 2' out

works doctor --json
json 'set(("GSL", "SQLite", "zlib", "jansson", "libyaml")) <= set(o["libraries"]) and o["cuda_present"] in (True, False)'
exit $failed
