#!/usr/bin/env bash
# A slice of the published experiment, run again, gives the published numbers; scripts/reproduce makes its files.
. "$SOURCE_DIR/tests/cli/lib.sh"
published=$SOURCE_DIR/results/load-sia64
sed 's/^load:.*/load: 0.5/' "$published/experiment.yaml" >slice.yaml
works sweep slice.yaml --workers 2 --out slice.db
works report slice.db --csv again
# A baseline's name, a count of runs: all columns are compared.
same 'the head' "$(head -n 1 "$published/summary.csv")" "$(head -n 1 again/summary.csv)"
if ! diff <(grep 'load 0.5' "$published/summary.csv") <(tail -n +2 again/summary.csv); then
  echo "results changed; if that is meant: scripts/reproduce results/load-sia64, and commit its summary"
  failed=1
fi
mkdir -p results/tiny
printf 'name: tiny\ntrace: demo\ncluster: sia-64\nscheduler: [has, fifo]\nload: 0.3\n' >results/tiny/experiment.yaml
check 'reproduce' bash "$SOURCE_DIR/scripts/reproduce" results/tiny >out 2>err
grep -q 'the summary is new' out || { echo "reproduce said:"; cat out err; failed=1; }
check 'its files' test -s results/tiny/summary.csv -a -s results/tiny/report.html -a -s results/tiny.db
cp results/tiny/summary.csv first.csv
rm results/tiny.db*
check 'reproduce again' bash "$SOURCE_DIR/scripts/reproduce" results/tiny >out 2>err
grep -q 'the summary is the one that was there' out || { echo "reproduce said:"; cat out err; failed=1; }
check 'the same bytes' cmp first.csv results/tiny/summary.csv
exit $failed
