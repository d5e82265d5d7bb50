#!/usr/bin/env bash
# Ctrl-C ends a long replay with 130, and nothing is half-written.
. "$SOURCE_DIR/tests/cli/lib.sh"
awk 'BEGIN { print "job_id,submit_s,req_gpus,duration_s"; for (i = 0; i < 1500000; i++) print i "," i ",1,400" }' >long.csv
python3 - "$FRENZY" <<'P'
import signal, subprocess, sys, time
program = subprocess.Popen([sys.argv[1], "replay", "long.csv", "--cluster", "uniform-512", "--scheduler", "easy",
                            "--out", "r.db", "--jobs-csv", "j.csv"], stdout=subprocess.DEVNULL, stderr=open("err", "w"))
time.sleep(0.2)
while program.poll() is None:
    program.send_signal(signal.SIGINT)
    time.sleep(0.05)
open("code", "w").write(str(program.returncode))
P
# A Ctrl-C before the trace is read ends the program by the signal, which shells show as 130 as well.
check 'exit code 130' grep -qxE -- '130|-2' code
check 'no CSV' test ! -e j.csv
check 'no run' python3 -c '
import os, sqlite3
assert not os.path.exists("r.db") or sqlite3.connect("r.db").execute("SELECT count(*) FROM sqlite_schema WHERE name = \"run\"").fetchone()[0] == 0 or sqlite3.connect("r.db").execute("SELECT count(*) FROM run").fetchone()[0] == 0'
exit $failed
