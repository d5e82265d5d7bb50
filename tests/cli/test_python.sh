#!/usr/bin/env bash
# Every Python example of sim/store/python.md runs and prints; those with pandas where it is installed.
. "$SOURCE_DIR/tests/cli/lib.sh"
mkdir results
works sweep "$SOURCE_DIR/results/load-sia64/experiment.yaml" --workers 2 --out results/load-sia64.db
check 'examples' python3 - "$SOURCE_DIR/sim/store/python.md" <<'P'
import importlib.util, re, subprocess, sys
blocks = re.findall(r"^```python( pandas)?\n(.*?)^```", open(sys.argv[1]).read(), re.M | re.S)
assert len(blocks) >= 5
have_pandas = importlib.util.find_spec("pandas") is not None
for pandas, code in blocks:
    if pandas and not have_pandas:
        print("skipped: pandas is not installed")
        continue
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, code + done.stderr
    assert done.stdout or "v_failure" in code, "prints nothing:\n" + code
P
# The numbers of the examples: paired by hand, and the mean of the timeline is the allocation of the whole run.
same 'the mean of the timeline' 0 "$(query results/load-sia64.db "SELECT count(*) FROM v_summary AS s WHERE unfinished = 0 AND abs(alloc_frac -
  (SELECT sum((end_s - start_s) * alloc_frac) / (max(end_s) - min(start_s)) FROM v_timeline AS t WHERE t.run_id = s.run_id)) > 1e-9")"
exit $failed
