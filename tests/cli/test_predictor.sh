#!/usr/bin/env bash
# replay --set predictor=analytic: plans, memory and speed of LLM jobs by the analytic estimate.
. "$SOURCE_DIR/tests/cli/lib.sh"

cat > t.csv <<'END'
job_id,submit_s,model,seq_len,global_batch,steps,req_gpus
a,0,llama-2-7b,2048,64,100,
b,10,gpt2-xl,1024,32,200,4
c,20,mixtral-8x7b,2048,64,50,
END
cat > c.yaml <<'END'
node_types: {n: {gpus: [{type: a100-80g, count: 8}]}}
pools: [{node_type: n, count: 8}]
END

fails 3 'does not know mixtures of experts' replay t.csv --cluster c.yaml --scheduler has
works replay t.csv --cluster c.yaml --scheduler has --set predictor=analytic --jobs-csv has.csv --json
json '(o["jobs"], o["finished"], o["rejected"]) == (3, 3, 0)'
# What runs is what frenzy plan ranks first on these GPUs, for as long as it says.
works plan --model llama-2-7b --batch 64 --seq 2048 --cluster c.yaml --json
python3 - <<'END' || failed=1
import csv, json
jobs = {r["job_id"]: r for r in csv.DictReader(open("has.csv"))}
plan = json.load(open("out"))["plans"][0]
a = jobs["a"]
assert (a["plan"], int(a["gpus"])) == (plan["plan"], plan["n"]), (a, plan)
assert abs(float(a["end_s"]) - float(a["start_s"]) - 100 * plan["step_s"]) < 1e-3, (a, plan)
END
# Fixed sizes: the user's four GPUs; the others take MARP's first plan.
works replay t.csv --cluster c.yaml --scheduler fifo --set predictor=analytic --jobs-csv fifo.csv --json
python3 - <<'END' || failed=1
import csv
jobs = {r["job_id"]: r for r in csv.DictReader(open("fifo.csv"))}
assert jobs["b"]["gpus"] == "4" and jobs["b"]["state"] == "FINISHED", jobs["b"]
END
# The same bytes again; an error of the prediction makes some run out of memory, and all end.
works replay demo --cluster sia-64 --scheduler has --set predictor=analytic --set mem_error_sigma=0.3 --seed 3 --jobs-csv one.csv
works replay demo --cluster sia-64 --scheduler has --set predictor=analytic --set mem_error_sigma=0.3 --seed 3 --jobs-csv two.csv --json
check 'the same bytes' cmp -s one.csv two.csv
json 'o["finished"] == 500 and o["ooms"] > 0'
fails 2 'is none of paper|analytic' replay t.csv --cluster c.yaml --scheduler has --set predictor=guess
exit $failed
