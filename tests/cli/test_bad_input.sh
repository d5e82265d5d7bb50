#!/usr/bin/env bash
# Bad input is a clear error with its place, and nothing is lost.
. "$SOURCE_DIR/tests/cli/lib.sh"
head='job_id,submit_s,req_gpus,duration_s'
on=(--cluster small --scheduler fifo)

# rows TEXT: a trace with these rows under the usual header
rows() { printf "$head\n$1" >t.csv; }

fails 3 'no.csv: cannot open: No such file or directory' replay no.csv "${on[@]}"
mkdir folder.csv
fails 3 'folder.csv: this is a directory' replay folder.csv "${on[@]}"
: >empty.csv
fails 3 'empty.csv:1:1: the file is empty' replay empty.csv "${on[@]}"
rows ''
fails 3 't.csv:1:1: there are no rows' replay t.csv "${on[@]}"
printf 'job_id,submit_s,req_gpu,duration_s\na,0,1,1\n' >t.csv
fails 3 "t.csv:1:17: unknown column 'req_gpu'" replay t.csv "${on[@]}"
rows 'a,0,one,10\n'
fails 3 't.csv:2:5:' replay t.csv "${on[@]}"
rows 'a,-5,1,10\n'
fails 3 't.csv:2:3:' replay t.csv "${on[@]}"
rows 'a,nan,1,10\n'
fails 3 't.csv:2:3:' replay t.csv "${on[@]}"
rows 'a,0,1,nan\n'
fails 3 't.csv:2:7:' replay t.csv "${on[@]}"
rows 'a,0,1,10\na,5,1,10\n'
fails 3 't.csv:3:' replay t.csv "${on[@]}"
rows 'a,0,1\n'
fails 3 't.csv:2:' replay t.csv "${on[@]}"
rows 'a,0,1,10\n"b,5,1,10\n'
fails 3 't.csv:' replay t.csv "${on[@]}"
rows 'a,0,1,10\n' && gzip -c t.csv | head -c 40 >cut.csv.gz
fails 3 'cut.csv.gz:1:24: the gzip data ends too early' replay cut.csv.gz "${on[@]}"

# Models: the key, or what the predictor does not know; a model that is not there.
printf 'job_id,submit_s,model,seq_len,global_batch,steps\na,0,mixtral-8x7b,2048,8,100\n' >t.csv
fails 3 "t.csv: job 'a': model 'mixtral-8x7b': the published memory formula does not know mixtures" replay t.csv "${on[@]}"
mkdir no-config
fails 3 'no-config: this folder has no config.json' models ./no-config
printf '{}' >config.json
fails 3 "config.json: model_type '(none)' needs 'num_hidden_layers', 'hidden_size'" models config.json
printf '{"model_type": "gpt2", "n_layer": 9223372036854775808, "n_embd": 8, "n_head": 2, "vocab_size": 9, "n_positions": 4}' >config.json
fails 3 "config.json: key 'n_layer' is 9.2233720368547758e+18; a whole number" models config.json
printf '{"model_type": "gpt2", "n_layer": "2", "n_embd": 8, "n_head": 2, "vocab_size": 9, "n_positions": 4}' >config.json
fails 3 "config.json: key 'n_layer' is a text; a whole number" plan --model config.json --batch 1 --seq 1
truncate -s 100M config.json
fails 3 'config.json: ' models config.json

# A job larger than the cluster is rejected and counted; the run goes on.
rows 'a,0,1000,10\nb,1,1,10\n'
works replay t.csv "${on[@]}" --json
says '1 of 2 jobs fit nowhere'
json 'o["rejected"] == 1 and o["finished"] == 1'

# Unsorted rows are sorted and counted.
rows 'a,5,1,10\nb,1,1,10\nc,0,1,1\n'
works replay t.csv "${on[@]}" --jobs-csv j.csv
says '2 rows changed'
same 'sorted' 'c b a' "$(tail -n +2 j.csv | cut -d, -f1 | tr '\n' ' ' | sed 's/ $//')"

# Policies for bad rows.
rows 'a,0,1,10\nb,-1,1,10\nc,2,1.5,10\n'
fails 3 't.csv:3:3:' import canonical t.csv --bad-rows fail
works import canonical t.csv --bad-rows drop --json
json 'o["rows_read"] == 3 and o["rows_kept"] == 1 and sum(o["dropped"].values()) == 2'
works import canonical t.csv --bad-rows clamp --json
json 'o["rows_kept"] == 3 or o["rows_kept"] == 2'

# Databases.
rows 'a,0,1,10\n'
fails 1 'nowhere/r.db' replay t.csv "${on[@]}" --out nowhere/r.db
echo 'not a database, only some words that are long enough to be looked at' >words.db
fails 1 'words.db' replay t.csv "${on[@]}" --out words.db
check 'the other file is as it was' grep -q 'not a database' words.db
python3 -c 'import sqlite3; sqlite3.connect("theirs.db").execute("CREATE TABLE t (a)")'
fails 1 'theirs.db' replay t.csv "${on[@]}" --out theirs.db
works replay t.csv "${on[@]}" --out mine.db
python3 - <<'P' &
import sqlite3, time
db = sqlite3.connect("mine.db", isolation_level=None)
db.execute("BEGIN IMMEDIATE")
open("locked", "w").close()
time.sleep(30)
P
holder=$!
for _ in $(seq 50); do [ -e locked ] && break; sleep 0.1; done
FRENZY_DB_WAIT_MS=300 fails 1 'mine.db' replay t.csv "${on[@]}" --out mine.db
kill $holder 2>/dev/null
wait $holder 2>/dev/null
same 'the earlier run is intact' 1 "$(query mine.db 'SELECT count(*) FROM run')"

# A full disk: a limit on the size of files stands in for it.
"$FRENZY" trace generate llm --jobs 20000 --out big.csv 2>/dev/null
(
  ulimit -f 400
  trap '' XFSZ
  "$FRENZY" replay big.csv --cluster sia-64 --scheduler has --out full.db >out 2>err
  echo $? >code
)
same 'full disk: exit code' 1 "$(cat code)"
check 'full disk: words' grep -qi 'full.db' err
check 'full disk: no half run' python3 -c '
import os, sqlite3
n = 0
if os.path.exists("full.db") and os.path.getsize("full.db"):
    try:
        n = sqlite3.connect("full.db").execute("SELECT count(*) FROM run").fetchone()[0]
    except sqlite3.OperationalError:
        pass
assert n == 0'

# Names.
fails 2 "unknown scheduler 'hsa' (did you mean 'has'?)" replay t.csv --cluster small --scheduler hsa
fails 2 "unknown key 'consolidat' (did you mean 'consolidate'?)" replay t.csv "${on[@]}" --set consolidat=1
fails 2 'key=value' replay t.csv "${on[@]}" --set consolidate
fails 2 'neither 0 nor 1' replay t.csv "${on[@]}" --set consolidate=2
fails 2 'out of range' replay t.csv "${on[@]}" --set mem_error_sigma=99
fails 2 'is none of first|last' replay t.csv --cluster small --scheduler has --set plan_pick=best
fails 3 "did you mean 'small'?" replay t.csv --cluster smal --scheduler fifo
fails 2 "did you mean '--cluster'?" replay t.csv --clutser small --scheduler fifo
fails 2 "unknown command 'reply' (did you mean 'replay'?)" reply t.csv

# Streams.
if [ -w /dev/full ]; then
  "$FRENZY" replay t.csv "${on[@]}" >/dev/full 2>err
  same 'a full standard output: exit code' 1 $?
  check 'a full standard output: words' grep -q 'cannot write to standard output' err
fi
exit $failed
