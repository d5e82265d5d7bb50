#!/usr/bin/env bash
# plan, models, schedulers, cluster, trace, doctor, help, version.
. "$SOURCE_DIR/tests/cli/lib.sh"

for command in plan replay compare import trace cluster schedulers models demo doctor; do
  works "$command" --help
  check "$command: examples come first" grep -qm1 examples <(head -n 3 out)
  works "$command" -h
  works help "$command"
done
works help
prints 'start here: frenzy demo'
works --version
prints 'frenzy 0.'
check 'version: the commit, or unknown' grep -qE '^commit   ([0-9a-f]{12}|unknown)$' out
check 'version: the schema' grep -qE '^schema   [1-9][0-9]*, of results databases$' out
check 'version: a library' grep -qE '^SQLite   3\.' out
fails 2 'usage: frenzy'

# 2 tables of 80; 2 x (queries 96 + keys and values 278 + MLP 240 + norms 16); last norm 8: 1428 parameters
cat >dense-mla.json <<'END'
{"model_type": "deepseek_v2", "num_hidden_layers": 2, "hidden_size": 8, "num_attention_heads": 4,
 "intermediate_size": 10, "vocab_size": 10, "kv_lora_rank": 6, "qk_nope_head_dim": 2, "qk_rope_head_dim": 1,
 "v_head_dim": 3}
END

# GPT-2 XL, batch 8, sequence 1024, by the golden table of the published formula (which counts 1,555,969,600 of the
# 1,557,611,200 parameters: no position table, no last norm): t = 1 and d = 4 need 49.050e9 bytes, too many for 40 GiB; t = 5 and d = 1 need 25.602e9 on 5 GPUs: the first plan that fits.
works plan --model gpt2-xl --batch 8 --seq 1024 --gpu a100-40g --estimator paper --json
json 'o["schema"] == "frenzy-plan-1" and o["params"] == 1557611200'
json '(o["plans"][0]["n"], o["plans"][0]["t"], o["plans"][0]["d"]) == (5, 5, 1)'
json 'abs(o["plans"][0]["need_bytes"] / 1e9 - 25.602) < 0.001'
json 'abs(sum(o["plans"][0]["parts"].values()) - o["plans"][0]["need_bytes"]) < 2'
json 'any("over" in r["why"] for r in o["rejected"])'
works plan --model llama-2-7b --batch 4 --seq 2048 --gpu a100-80g --gpu v100-32g --estimator paper
prints 'why not'
works plan --model bert-base --batch 32 --seq 512 --cluster sia-64
code=0
"$FRENZY" plan --model llama-2-70b --batch 4 --seq 2048 --gpu t4 --estimator paper >out 2>err || code=$?
same 'fits nowhere: exit code' 6 $code
check 'fits nowhere: words' grep -q 'fits nowhere' err
fails 3 "did you mean 'llama-2-7b'?" plan --model llama-2-7c --batch 1 --seq 1
fails 2 'is not in the catalog' plan --model gpt2 --batch 1 --seq 1 --gpu b9000
fails 2 '--batch N is missing' plan --model gpt2 --seq 1
fails 2 'out of range' plan --model gpt2 --batch 0 --seq 1

fails 3 'the published memory formula does not know mixtures of experts' plan --model mixtral-8x7b --batch 8 --seq 2048 --estimator paper
fails 3 'the published memory formula does not know latent attention' plan --model dense-mla.json --batch 8 --seq 2048 --estimator paper

works models
check 'deepseek-v3: both counts' grep -qE '^deepseek-v3 +671026419200 +37552297472 .* 8 of 256$' out
works models --json
json 'o["schema"] == "frenzy-models-1" and len(o["models"]) == 48'
json '{m["name"]: m["params"] for m in o["models"]}["llama-2-7b"] == 6738415616'
works models Mixtral-8x7B dense-mla.json --json
json '[m["active_params"] for m in o["models"]] == [12879925248, 1428]'
fails 3 "did you mean 'llama-2-7b'?" models gpt2 llama-2-7c

works schedulers
for name in has opportunistic fifo fifo_skip sjf easy slurm_fifo slurm_backfill conservative srtf; do check "lists $name" grep -q "^$name " out; done
works schedulers has
prints 'plan_pick'
prints 'req_nodes: not looked at'
works schedulers slurm_fifo
check 'slurm_fifo places by req_nodes' sh -c '! grep -q "not looked at: " out'
works schedulers --json
json 'len(o["schedulers"]) == 10 and o["schema"] == "frenzy-schedulers-1"'

for name in small workstation sia-64 gavel-108 uniform-512 mixed-10k; do works cluster "$name"; done
works cluster mixed-10k --json
json 'o["gpus"] == 10000'
printf '{"format": "frenzy-cluster", "version": 1, "pools": [{"node_type": "x", "cout": 2}]}' >bad.json
fails 3 'bad.json:1:' cluster bad.json

works trace --help
prints "generate "
for verb in generate stats check cut scale sample filter merge map-gpus models; do
  works trace "$verb" --help
  check "trace $verb: examples come first" grep -qm1 examples <(head -n 3 out)
  works help trace "$verb"
done
fails 2 "did you mean 'check'?" trace chek a.csv
fails 2 "options come behind the verb" trace --json check a.csv
fails 2 "did you mean 'philly'?" trace generate phily
fails 2 "go together" trace generate philly --load 1
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
