#!/usr/bin/env bash
# Ctrl-C: 130, and nothing is half-written.
. "$SOURCE_DIR/tests/cli/lib.sh"

# interrupt WHEN ARGUMENTS...: runs the program, sends SIGINT once the Python expression WHEN is true, and a moment
# later; the exit code is in `code`, what it printed in `out`. WHEN may use `program`.
cat >interrupt.py <<'P'
import os, signal, sqlite3, subprocess, sys, time
def tables(path):
    try:
        return [row[0] for row in sqlite3.connect(path).execute("SELECT name FROM sqlite_schema")]
    except sqlite3.Error:
        return []
program = subprocess.Popen([os.environ["FRENZY"], *sys.argv[2:]], stdout=subprocess.PIPE, stderr=open("err", "w"))
while program.poll() is None and not eval(sys.argv[1]):
    time.sleep(0.005)
time.sleep(0.05)
program.send_signal(signal.SIGINT)
rest = program.stdout.read()
open("out", "wb").write(rest)
print(program.wait())
P
interrupt() { timeout 60 "$python" interrupt.py "$@"; }

no_run() { # DATABASE
  same "no run in $1" 0 "$(query "$1" 'SELECT (SELECT count(*) FROM run) + (SELECT count(*) FROM job) + (SELECT count(*) FROM trace_job)')"
}

# In the simulation: the database was opened, the outputs are not there yet.
awk 'BEGIN { print "job_id,submit_s,req_gpus,duration_s"; for (i = 0; i < 1500000; i++) print i "," i ",1,400" }' >long.csv
same 'a replay: exit code' 130 "$(interrupt '"v_summary" in tables("r.db")' replay long.csv --cluster uniform-512 --scheduler easy --out r.db --jobs-csv j.csv)"
says interrupted
check 'nothing on stdout' test ! -s out
no_run r.db
same 'nothing else is left' '' "$(find . -name '*.tmp' -o -name 'j.csv*' -o -name 'r.db-*')"

# Before it: the signal ends the program, which shells show as 130 too.
same 'while reading: signal' -2 "$(interrupt True replay long.csv --cluster uniform-512 --scheduler easy --jobs-csv j.csv)"
check 'no CSV' test ! -e j.csv

# Workers end with the command.
same 'a comparison: exit code' 130 "$(interrupt '"v_summary" in tables("c.db")' compare long.csv --cluster uniform-512 --schedulers easy,has --workers 2 --out c.db --jobs-dir jobs)"
says interrupted
no_run c.db
same 'no CSV is left' '' "$(find jobs -type f)"

# While results are written: the write is finished, and the exit code still says 130. The first byte of the CSV on
# a pipe shows that the writing has begun; the pipe holds 64 KiB, so it has not ended.
head -n 20001 long.csv >short.csv
same 'while writing: exit code' 130 "$(interrupt 'program.stdout.peek(1)' replay short.csv --cluster uniform-512 --scheduler easy --jobs-csv - --out w.db)"
same 'every row was written' 20001 "$(wc -l <out)"
same 'the run was stored' 20000 "$(query w.db 'SELECT count(*) FROM v_job')"
exit $failed
