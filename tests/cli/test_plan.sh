#!/usr/bin/env bash
# frenzy plan by the analytic estimator: plans that add up, limits that hold, refusals in words.
. "$SOURCE_DIR/tests/cli/lib.sh"

cat > moe.json <<'END'
{"model_type": "mixtral", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32,
 "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 32000, "num_local_experts": 8,
 "num_experts_per_tok": 2, "rms_norm_eps": 1e-5, "hidden_act": "silu"}
END

works plan --model llama-2-7b --batch 512 --seq 4096 --gpu a100-80g --gpu v100-32g --json
json '(o["schema"], o["estimator"], o["params"]) == ("frenzy-plan-2", "analytic", 6738415616)'
json 'list(o["plans"][0]) == "gpu n d t p ep zero recompute micro_batch plan need_bytes lo_bytes hi_bytes usable_bytes fits parts step_s tokens_per_s speed_origin".split()'
json 'list(o["plans"][0]["parts"]) == "weights gradients optimizer activations logits buffers context fragmentation".split()'
json 'all(abs(sum(p["parts"].values()) - p["need_bytes"]) <= 8 for p in o["plans"])'
json 'all(p["n"] == p["d"] * p["t"] * p["p"] for p in o["plans"])'
json 'all(512 % (p["d"] * p["micro_batch"]) == 0 and 32 % p["t"] == 0 and 32 % p["p"] == 0 for p in o["plans"])'
json 'all(p["lo_bytes"] <= p["need_bytes"] <= p["hi_bytes"] <= p["usable_bytes"] for p in o["plans"])'
json 'len({(p["gpu"], p["n"]) for p in o["plans"]}) == len(o["plans"])'
json 'all(r["hi_bytes"] > 0 and "over" in r["why"] for r in o["rejected"]) and len(o["rejected"]) == 2'

# What the user fixes is what the plans have.
works plan --model llama-2-7b --batch 64 --seq 2048 --zero 3 --recompute full --micro-batch 2 --profile torch-fsdp --json
json 'o["profile"] == "torch-fsdp" and {(p["zero"], p["recompute"], p["micro_batch"]) for p in o["plans"]} == {(3, "full", 2)}'
json '{(p["t"], p["p"]) for p in o["plans"]} == {(1, 1)}' # fully sharded data parallelism splits nothing else
works plan --model llama-2-7b --batch 64 --seq 2048 --max-gpus 16 --rank fewest-gpus --json
json 'max(p["n"] for p in o["plans"]) <= 16 and [p["n"] for p in o["plans"]] == sorted(p["n"] for p in o["plans"])'
works plan --model llama-2-7b --batch 64 --seq 2048 --rank fastest --json
json '[p["step_s"] for p in o["plans"]] == sorted(p["step_s"] for p in o["plans"])'
works plan --model llama-2-7b --batch 64 --seq 2048 --cluster sia-64 --json
json 'all(p["n"] <= {"A100-40": 16, "T4": 24, "2080Ti": 24}[p["gpu"]] for p in o["plans"])'

works plan --model llama-2-7b --batch 64 --seq 2048 --gpu v100-16g --max-gpus 32 --tensor-across-nodes --rank fewest-gpus --json
json 'all(p["t"] <= 32 for p in o["plans"])'

# The surer one wants to be, the more room: no plan appears that a lower confidence refuses.
works plan --model llama-2-13b --batch 64 --seq 2048 --gpu a100-40g --rank fewest-gpus --confidence 0.6 --json
cp out low.json
works plan --model llama-2-13b --batch 64 --seq 2048 --gpu a100-40g --rank fewest-gpus --confidence 0.98 --json
json 'o["plans"][0]["n"] >= json.load(open("low.json"))["plans"][0]["n"]'

# Adapters need far less than full training; quantised ones less still.
works plan --model llama-3-8b --batch 16 --seq 2048 --gpu a100-80g --rank fewest-gpus --json
cp out full.json
works plan --model llama-3-8b --batch 16 --seq 2048 --gpu a100-80g --rank fewest-gpus --lora 16 --json
cp out lora.json
json 'o["plans"][0]["n"] == 1 and json.load(open("full.json"))["plans"][0]["n"] > 1'
works plan --model llama-3-8b --batch 16 --seq 2048 --gpu a100-80g --rank fewest-gpus --lora 16 --quant nf4 --json
json 'o["plans"][0]["parts"]["weights"] < 0.5 * json.load(open("lora.json"))["plans"][0]["parts"]["weights"]'

# Mixtures of experts: dealt out over data parallel ranks.
works plan --model moe.json --batch 256 --seq 4096 --gpu h100 --json
json 'all(p["ep"] >= 1 and 8 % p["ep"] == 0 and p["d"] % p["ep"] == 0 for p in o["plans"]) and len(o["plans"]) > 0'

works plan --model llama-2-7b --batch 512 --seq 4096 --gpu a100-80g --profile megatron-core --explain
prints 'why not: needs'
prints "constants of 'megatron-core'"
prints 'fragmentation'

code=0
"$FRENZY" plan --model llama-2-70b --batch 4 --seq 2048 --gpu t4 --max-gpus 8 >out 2>err || code=$?
same 'fits nowhere: exit code' 6 $code
check 'fits nowhere: words' grep -q 'fits nowhere' err
prints 'over'

fails 2 "--profile: unknown 'caffe'; there are megatron-core-dev" plan --model gpt2 --batch 8 --seq 64 --profile caffe
fails 2 "--zero: unknown '4'" plan --model gpt2 --batch 8 --seq 64 --zero 4
fails 2 "did you mean 'selective'?" plan --model gpt2 --batch 8 --seq 64 --recompute selectiv
fails 2 '--micro-batch 3 does not divide --batch 8' plan --model gpt2 --batch 8 --seq 64 --micro-batch 3
fails 2 'it needs --lora RANK' plan --model gpt2 --batch 8 --seq 64 --quant nf4
fails 2 'means nothing to the published formula' plan --model gpt2 --batch 8 --seq 64 --zero 1 --estimator paper
fails 2 "--estimator: unknown 'guess'; there are analytic, paper" plan --model gpt2 --batch 8 --seq 64 --estimator guess
fails 2 '--confidence' plan --model gpt2 --batch 8 --seq 64 --confidence 2
fails 2 '--max-gpus' plan --model gpt2 --batch 8 --seq 64 --max-gpus 0
exit $failed
