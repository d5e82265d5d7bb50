#!/usr/bin/env bash
# Command lines that look right at first sight, and would lose data or answer another question.
. "$SOURCE_DIR/tests/cli/lib.sh"

printf 'job_id,submit_s,req_gpus,duration_s\na,0,1,10\n' >trace.csv
cp trace.csv before.csv
replay=(replay trace.csv --cluster small --scheduler fifo)

# A variable of the shell that is not set.
fails 2 '--out: DB is empty' "${replay[@]}" --out ''
fails 2 '--jobs-csv: FILE is empty' "${replay[@]}" --jobs-csv=
fails 2 'argument 1 is empty' replay '' --cluster small --scheduler fifo
fails 2 '--gpu: NAME is empty' plan --model gpt2 --batch 1 --seq 1 --gpu ''
fails 2 '--out: DB is empty' demo --out ''

# Two kinds of data on one stream.
fails 2 'both want standard output' "${replay[@]}" --json --jobs-csv -
fails 2 'both want standard output' import canonical trace.csv --json --out -
fails 2 'both want standard output' trace generate llm --jobs 2 --json
"$FRENZY" "${replay[@]}" --jobs-csv - >out 2>err
check 'the CSV of jobs alone on stdout' test "$(wc -l <out)" = 2
check 'the summary on stderr' grep -q 'fifo  1 of 1 jobs finished' err

# An output that is an input.
ln trace.csv link.csv
fails 2 'would replace trace.csv' "${replay[@]}" --jobs-csv trace.csv
fails 2 'would replace trace.csv' "${replay[@]}" --jobs-csv ./link.csv
fails 2 'would replace trace.csv' import canonical trace.csv --out trace.csv
fails 2 'would replace new.db' "${replay[@]}" --jobs-csv new.db --out new.db
check 'the trace is as it was' cmp -s trace.csv before.csv

# What cannot be written is said before the simulation: no other output is there yet.
fails 1 'cannot open the database' "${replay[@]}" --jobs-csv jobs.csv --out nowhere/x.db
fails 1 'cannot write' "${replay[@]}" --jobs-csv nowhere/jobs.csv --out new.db
check 'no output of a run that was not to be' test ! -e jobs.csv -a ! -e new.db

# Lists where one is expected, and the other way round.
fails 2 'frenzy compare takes a list' replay trace.csv --cluster small --scheduler fifo,easy
fails 2 "'A100' is named twice (A100-SXM4-80GB)" plan --model gpt2 --batch 1 --seq 1 --gpu a100-80g --gpu A100

# Options of another verb.
fails 2 "unknown option '--jobs'" trace check trace.csv --jobs 3
fails 2 "unknown option '--bad-rows'" trace generate llm --jobs 3 --bad-rows drop

# The same world twice is no second sample.
compare=(compare trace.csv --cluster small --schedulers fifo,easy)
fails 2 '--seeds: 1 is there twice' "${compare[@]}" --seeds 1,1
fails 2 '--seeds: 3 is there twice' "${compare[@]}" --seeds 0..4,3
for seeds in 4..1 1.5 1, ,1 -1 0..9223372036854775808 99999999999999999999 1..; do
  fails 2 'is no list of seeds' "${compare[@]}" --seeds="$seeds"
done
fails 2 'at most 1000' "${compare[@]}" --seeds 0..1000

# Names that a newcomer guesses.
fails 3 'there are gavel-108, ' cluster nothing-like-it
fails 3 '`frenzy models` lists them' plan --model nothing-like-it --batch 1 --seq 1

# A folder of the user's does not hide a bundled name.
mkdir small demo
"$FRENZY" replay demo --cluster small --scheduler fifo >out 2>&1
check 'folders named like bundled files' test $? = 0
fails 3 'this is a directory' replay . --cluster small --scheduler fifo
fails 3 'this is a directory' cluster .

exit $failed
