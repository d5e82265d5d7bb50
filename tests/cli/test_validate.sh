#!/usr/bin/env bash
# frenzy validate and frenzy fit: scores of a small table by hand, reasons for what is not scored, bad files; on the
# published measurements the fit repeats the compiled-in tables and reaches its goals.
. "$SOURCE_DIR/tests/cli/lib.sh"

head='id,source,model,layers,hidden,heads,ffn,gated_mlp,vocab,tied_emb,seq_len,micro_batch,global_batch,n_gpus,dp,tp,pp,zero,recompute,flash_attn,precision,optimizer,tuning,framework,gpu,metric,outcome,mem_gib,other'
row='gpt,12,768,12,3072,0,50257,1,1024,4,32,8,8,1,1,1,none,1,bf16-mixed,adamw,pretrain,Megatron-Core dev,a100-80gb,max_allocated'
{
  echo "$head"
  echo "a,one,$row,ok,4.0,"
  echo "b,one,$row,ok,5.0,"
  echo "c,one,$row,fits,,"
  echo "d,two,$row,oom,,"
  echo "e,two,gpt,12,768,12,3072,0,50257,1,,4,32,8,8,1,1,1,none,1,bf16-mixed,adamw,pretrain,x,a100-80gb,max_allocated,ok,4.0,"
  echo "f,two,gpt,12,768,12,3072,0,50257,1,1024,4,32,8,4,1,1,1,none,1,bf16-mixed,adamw,pretrain,x,a100-80gb,max_allocated,ok,4.0,"
  echo "g,two,$row,ok,4.0,hybrid-override-pattern=M-M"
  echo "h,two,gpt,12,768,13,3072,0,50257,1,1024,4,32,8,8,1,1,1,none,1,bf16-mixed,adamw,pretrain,x,a100-80gb,max_allocated,ok,4.0,"
} > runs.csv

works validate memory runs.csv --json --rows rows.csv
json 'o["schema"] == "frenzy-validate-memory-1" and o["rows"] == 8 and o["measured"] == 6 and o["scored"] == 2'
json '{"mean", "median", "p10", "worst", "mean_of_source_means", "interval_coverage", "interval_width_median", "fits_recall", "oom_recall", "skipped", "full_training", "by_source", "by_framework", "by_gpu"} <= set(o)'
json 'sorted(o["skipped"]) == ["degrees do not multiply to n_gpus", "hybrid", "model '"'gpt'"': heads 13 does not divide hidden 768, and head_dim is not given", "seq_len missing"]'
json 'o["rows"] == o["scored"] + sum(o["skipped"].values()) + o["fits"] + o["oom"]'
json 'set(o["large"]) >= {"rows", "scored", "skipped", "mean", "median", "p10", "worst", "interval_coverage"} <= set(o["computed"])'
json '(o["fits_recall"], o["oom_recall"]) == (1, 0)' # 4 GiB in 80: it fits, and is told not to run out
check 'rows: header' test "$(sed -n 1p rows.csv)" = id,measured,predicted,lo,hi,accuracy,reason
python3 - <<'END' || failed=1
import csv, json
rows = {r["id"]: r for r in csv.DictReader(open("rows.csv"))}
p = float(rows["a"]["predicted"])
for i, m in (("a", 4.0), ("b", 5.0)):
    assert abs(float(rows[i]["accuracy"]) - (1 - abs(p - m) / m)) < 1e-3, rows[i]
    assert float(rows[i]["lo"]) <= p <= float(rows[i]["hi"]) and rows[i]["reason"] == ""
assert rows["c"]["reason"] == "known to fit only" and rows["c"]["measured"] == "" and float(rows["c"]["predicted"]) > p
assert rows["e"]["predicted"] == "" and rows["e"]["reason"] == "seq_len missing"
o = json.load(open("out"))
assert abs(o["mean"] - (float(rows["a"]["accuracy"]) + float(rows["b"]["accuracy"])) / 2) < 1e-3
END

works validate memory runs.csv --estimator paper
prints 'full_training'
works fit memory runs.csv
prints 'whole sources left out'
works fit memory runs.csv --table -
prints 'fz_memory_table(void)'

{
  echo 'id,source,model,layers,hidden,heads,ffn,vocab,seq_len,micro_batch,global_batch,n_gpus,dp,tp,pp,precision,framework,gpu,tokens_per_s_gpu,sec_per_iter,interconnect,gpus_per_node,tuning'
  echo 'a,one,gpt,24,2048,16,8192,50257,2048,4,512,64,64,1,1,bf16-mixed,megatron-core,a100-80gb,10000,,4x100Gb IB per node,8,pretrain'
  echo 'b,one,gpt,24,2048,16,8192,50257,2048,4,512,64,64,1,1,bf16-mixed,megatron-core,a100-80gb,,1.6384,,8,pretrain' # the same speed, said otherwise
  echo 'c,one,gpt,24,2048,16,8192,50257,2048,4,512,64,64,1,1,bf16-mixed,megatron-core,,10000,,,8,pretrain'
  echo 'd,one,gpt,24,2048,16,8192,50257,2048,4,512,64,64,1,1,bf16-mixed,megatron-core,b9000,10000,,,8,pretrain'
} > speed.csv
works validate speed speed.csv --json --rows rows.csv
json 'o["schema"] == "frenzy-validate-speed-1" and (o["rows"], o["scored"]) == (4, 2) and o["target_rows"]["scored"] == 2'
json 'o["skipped"] == {"GPU not named": 1, "GPU not in the catalog": 1}'
json '{"median_err", "mean_err", "p90_err", "worst_err", "interval_coverage", "by_gpu", "by_source", "by_framework"} <= set(o)'
python3 - <<'END' || failed=1
import csv
rows = {r["id"]: r for r in csv.DictReader(open("rows.csv"))}
assert rows["a"]["measured"] == "10000" and rows["b"]["measured"] == "10000", rows
assert float(rows["a"]["lo"]) <= float(rows["a"]["predicted"]) <= float(rows["a"]["hi"])
END
works fit speed speed.csv
prints 'gemm_ampere'

fails 3 'no column' validate memory speed.csv
fails 3 'no column with a measurement' validate speed runs.csv
: > empty.csv
fails 3 'empty' validate memory empty.csv
fails 3 'is a directory' validate memory .
fails 3 'no-such-file.csv' validate memory no-such-file.csv
sed '2s/,12,768,/,twelve,768,/' runs.csv > text.csv
fails 3 'text.csv:2:11:' validate memory text.csv
head -1 runs.csv > header.csv
fails 3 'header.csv:1:1: there are no rows' fit memory header.csv
fails 3 'header.csv:1:1: there are no rows' validate memory header.csv

# Degrees that no machine has are refused before anything is multiplied.
for degree in dp tp pp; do
  python3 - "$degree" <<'END' > degree.csv
import csv, sys
rows = list(csv.DictReader(open("runs.csv")))[:1]
rows[0][sys.argv[1]] = "4294967296"
out = csv.DictWriter(sys.stdout, rows[0].keys(), lineterminator="\n")
out.writeheader()
out.writerows(rows)
END
  fails 3 "$degree: '4294967296' is too large" validate memory degree.csv
done
sed '2s/,1,1,1,none,/,1,1,259,none,/' runs.csv > zero.csv
fails 3 "zero.csv:2:54: zero: '259' is too large" validate memory zero.csv

# A word that says nothing we know is a reason, never a number.
for change in 's/,pretrain,/,banana,/ tuning' 's/,none,/,banana,/ recompute' 's/,max_allocated,/,banana,/ metric' \
  's/,ok,/,banana,/ outcome' 's/,adamw,/,banana,/ optimizer' 's/,bf16-mixed,/,banana,/ precision'; do
  { head -1 runs.csv; sed -n '2p' runs.csv | sed "${change% *}"; } > word.csv
  works validate memory word.csv --json
  json "o['scored'] == 0 and o['skipped'] == {\"${change##* } 'banana' is not known\": 1}"
done
fails 2 "unknown estimator 'guess'" validate memory runs.csv --estimator guess
fails 2 'there are memory and speed' validate tea runs.csv
fails 2 'there are memory and speed' fit tea runs.csv
fails 2 '--estimator belongs to validate memory' validate speed speed.csv --estimator paper
fails 1 'no/such/folder' validate memory runs.csv --rows no/such/folder/rows.csv

if [ -r "$SHARED_DATA/groundtruth/memory.csv" ]; then
  works fit memory "$SHARED_DATA/groundtruth/memory.csv" --table -
  check 'memory: the fit repeats the compiled-in table' cmp -s out "$SOURCE_DIR/core/src/memory_table.c"
  works fit memory "$SHARED_DATA/groundtruth/memory.csv" --json
  json 'o["left_out_groups"]["full_training"]["mean"] >= 0.92 and o["left_out_groups"]["full_training"]["median"] >= 0.95'
  json 'o["left_out_groups"]["full_training"]["p10"] >= 0.80 and o["left_out_groups"]["adapters"]["mean"] >= 0.88'
  json 'o["left_out_groups"]["large"]["mean"] >= 0.91 and o["left_out_groups"]["large"]["p10"] >= 0.77'
  json 'o["left_out_groups"]["full_training"]["mean_of_source_means"] >= 0.88'
  json 'o["left_out_sources"]["full_training"]["mean_of_source_means"] >= 0.80'
  json '0.87 <= o["left_out_groups"]["interval_coverage"] <= 0.95 and o["left_out_groups"]["interval_width_median"] <= 0.45'
  json 'all(s["interval_coverage"] >= 0.75 for s in o["left_out_groups"]["by_source"].values() if s["scored"] >= 10)'
  json 'o["left_out_groups"]["fits_recall"] >= 0.9 and o["left_out_groups"]["oom_recall"] >= 0.9'
  json 'o["left_out_groups"]["fits_fill_median"] >= 0.6'
  works fit speed "$SHARED_DATA/groundtruth/throughput.csv" --table -
  check 'speed: the fit repeats the compiled-in table' cmp -s out "$SOURCE_DIR/core/src/step_table.c"
  works fit speed "$SHARED_DATA/groundtruth/throughput.csv" --json
  json 'o["left_out_groups"]["target_rows"]["median_err"] <= 0.10 and o["left_out_groups"]["target_rows"]["p90_err"] <= 0.32'
else
  echo "without $SHARED_DATA/groundtruth: the published measurements are not there"
fi
exit $failed
