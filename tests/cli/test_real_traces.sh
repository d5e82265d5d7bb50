#!/usr/bin/env bash
# Real traces from end to end: import, check, replay. Skipped where the data are not there.
. "$SOURCE_DIR/tests/cli/lib.sh"
[ -r "$SHARED_DATA/philly/philly_jobs.csv.gz" ] || { echo "skipped: no $SHARED_DATA/philly"; exit 77; }

# 62,194 rows and their GPU-seconds: zcat | awk -F, 'NR > 1 { n++; s += $2 * $3 } END { print n, s }'
works import philly "$SHARED_DATA/philly/philly_jobs.csv.gz" --out philly.csv --json
expected=$(zcat "$SHARED_DATA/philly/philly_jobs.csv.gz" | awk -F, 'NR > 1 { n++; s += $2 * $3 } END { printf "%d %.0f", n, s }')
same 'Philly: rows and GPU-seconds' "$expected" "$(python3 -c 'import json; o = json.load(open("out")); print(o["rows_kept"], round(o["gpu_seconds"]))')"
for scheduler in has easy; do
  works replay philly.csv --cluster mixed-10k --scheduler $scheduler --json
  json 'o["finished"] + o["rejected"] == 62194 and o["unfinished"] == 0'
done

works import rubick "$SHARED_DATA/rubick_llm/workload-base.csv" --out rubick.csv --json
json 'o["rows_kept"] == 406'
works replay rubick.csv --cluster uniform-512 --scheduler has --out rubick.db --jobs-csv rubick-jobs.csv --json
json 'o["finished"] == 406'
same 'Rubick: jobs stored' 406 "$(query rubick.db 'SELECT count(*) FROM v_job')"

works import auto "$SHARED_DATA/swf/HPC2N-head-3170.swf.gz" --out hpc2n.csv --json
json 'o["format"] == "swf" and o["rows_read"] == 3170 and o["rows_kept"] == 3145'
works replay hpc2n.csv --cluster uniform-512 --scheduler easy --json
json 'o["finished"] == 3145 and o["estimate"] in ("limit", "mixed")'

# To the Standard Workload Format and back: the same trace.
for log in NASA-iPSC-1993-3.1-cln HPC2N-head-3170 evalys_float_times lublin_256; do
  works import swf "$SHARED_DATA/swf/$log.swf.gz" --out first.csv
  works trace export first.csv --out again.swf
  works import swf again.swf --bad-rows fail --out second.csv
  check "$log comes back" cmp first.csv second.csv
done

# A foreign file given to replay: the user is told what to do.
fails 3 'frenzy import philly' replay "$SHARED_DATA/philly/philly_jobs.csv.gz" --cluster small --scheduler has
exit $failed
